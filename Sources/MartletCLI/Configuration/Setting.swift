import MartletJSON

/// A setting: an option that configuration files and the environment can give as well.
struct Setting<Value: Sendable>: Sendable {
  let option: Option<Value>
  /// Its keys in a configuration file.
  let path: [String]
  /// What a project that is not trusted can make of the user's own value: only something tighter. Nil when it has no say.
  let tighten: (@Sendable (_ own: Value?, _ project: Value) -> Value)?

  init(
    _ option: Option<Value>, _ path: String...,
    tighten: (@Sendable (_ own: Value?, _ project: Value) -> Value)? = nil
  ) {
    self.option = option
    self.path = path
    self.tighten = tighten
  }

  /// `MARTLET_MAX_ITERATIONS` for `--max-iterations`.
  var variable: String {
    "MARTLET_" + option.spec.name.uppercased().map { $0 == "-" ? "_" : "\($0)" }.joined()
  }

  /// Reads a value of a configuration file.
  func read(_ value: JSONValue) -> Value? { option.kind.read(value) }

  /// What is wrong with a value that cannot be read.
  func complaint(about value: JSONValue) -> String {
    if case .array(let values) = value,
      let text = values.lazy.compactMap(\.stringValue).first(where: { option.kind.parse($0) == nil })
    {
      return option.kind.complaint(about: text)
    }
    return option.kind.complaint(about: value.stringValue ?? value.text())
  }
}

extension ValueKind {
  /// Reads a value of a configuration file. Lists stand for names with commas between them, each a name by itself.
  func read(_ value: JSONValue) -> Value? {
    let text: String? =
      switch value {
      case .string(let text): text
      case .number(let number): number.int.map { "\($0)" } ?? number.text
      case .bool(let value): value ? "true" : "false"
      case .array(let values):
        values.allSatisfy { $0.stringValue.flatMap(parse) != nil }
          ? values.compactMap(\.stringValue).joined(separator: ",") : nil
      case .object, .null: nil
      }
    return text.flatMap(parse)
  }
}
