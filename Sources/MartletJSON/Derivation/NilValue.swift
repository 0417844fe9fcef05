/// The nil of a type that is an optional.
enum NilValue {
  static func of<T>(_ type: T.Type) -> T? {
    (type as? any Nullable.Type)?.absent as? T
  }
}

// Not named `null`, which would be found before `JSONValue.null` where a `JSONValue?` is written `.null`.
private protocol Nullable {
  static var absent: Self { get }
}

extension Optional: Nullable {
  static var absent: Self { nil }
}
