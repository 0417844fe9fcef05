/// What was given to a command. Values have been checked, so reading them cannot fail.
struct ParsedArguments: Sendable {
  /// The command's words, without the program's name.
  var path: [String] = []
  /// Values in the order they came, by the option's name; one empty text for each time a flag was given.
  private(set) var values: [String: [String]] = [:]
  var positionals: [String] = []

  mutating func add(_ value: String, to option: OptionSpec) {
    values[option.name, default: []].append(value)
  }

  /// The same, with others' values for options that are not given.
  func filled(from others: [String: [String]]) -> Self {
    var filled = self
    filled.values.merge(others) { own, _ in own }
    return filled
  }

  /// The last value of an option; nil when it was not given.
  subscript<Value>(option: Option<Value>) -> Value? {
    values[option.spec.name]?.last.flatMap(option.kind.parse)
  }

  /// All values of an option that repeats.
  func all<Value>(_ option: Option<Value>) -> [Value] {
    values[option.spec.name, default: []].compactMap(option.kind.parse)
  }

  /// Whether a flag was given.
  func has(_ flag: Option<Bool>) -> Bool { values[flag.spec.name] != nil }

  /// How often a flag was given.
  func count(_ flag: Option<Bool>) -> Int { values[flag.spec.name]?.count ?? 0 }

  /// The last value as it was written.
  func text(_ option: OptionSpec) -> String? { values[option.name]?.last }
}
