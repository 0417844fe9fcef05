/// An option of a command, with the type of its value.
struct Option<Value: Sendable>: Sendable {
  let spec: OptionSpec
  let kind: ValueKind<Value>

  init(
    _ name: String, short: Character? = nil, _ placeholder: String, _ kind: ValueKind<Value>,
    group: OptionGroup = .general,
    repeats: Bool = false, isAvailable: Bool = true, _ help: String
  ) {
    spec = OptionSpec(
      name: name, short: short, placeholder: placeholder, help: help, group: group, repeats: repeats,
      isAvailable: isAvailable, expected: kind.expected, completion: kind.completion,
      complain: { kind.complaint(about: $0) }, accepts: { kind.parse($0) != nil })
    self.kind = kind
  }

  /// "--name takes a whole number, not …".
  func complaint(about text: String) -> String { spec.complaint(about: text) }
}

extension Option where Value == Bool {
  /// An option without a value.
  init(
    flag name: String, short: Character? = nil, group: OptionGroup = .general, repeats: Bool = false,
    isAvailable: Bool = true, _ help: String
  ) {
    kind = ValueKind(expected: "no value") { _ in true }
    spec = OptionSpec(
      name: name, short: short, placeholder: nil, help: help, group: group, repeats: repeats, isAvailable: isAvailable,
      expected: kind.expected, completion: .nothing, complain: { [kind] in kind.complaint(about: $0) },
      accepts: { _ in true })
  }
}
