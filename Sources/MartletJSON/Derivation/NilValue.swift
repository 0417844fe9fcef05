/// The nil of a type that is an optional.
enum NilValue {
  static func of<T>(_ type: T.Type) -> T? {
    (type as? any Nullable.Type)?.null as? T
  }
}

private protocol Nullable {
  static var null: Self { get }
}

extension Optional: Nullable {
  static var null: Self { nil }
}
