/// A positional argument of a command.
struct ArgumentSpec: Sendable {
  /// As help shows it, such as `PROMPT`.
  let name: String
  let help: String
  let isRequired: Bool
  let completion: ValueCompletion

  init(_ name: String, isRequired: Bool = true, completion: ValueCompletion = .nothing, _ help: String) {
    self.name = name
    self.help = help
    self.isRequired = isRequired
    self.completion = completion
  }
}
