import MartletJSON

/// The layers of configuration, weakest first: defaults, the user's file, the project's file, environment, options.
struct SettingsReader: Sendable {
  let user: ConfigurationFile?
  let project: ConfigurationFile?
  let isProjectTrusted: Bool
  let environment: [String: String]
  let arguments: ParsedArguments

  /// Whether a rule in the project's file counts: the file is trusted, or asks for nothing that needs trust.
  var mayKeepRulesInProject: Bool {
    project.map { isProjectTrusted || ConfigurationLoader.wishes($0, over: user).isEmpty } ?? true
  }

  /// The strongest layer's value; nil when none has one. A value that cannot be read is an error in whatever layer it
  /// stands.
  func value<Value>(_ setting: Setting<Value>) throws(CommandFailure) -> Value? {
    let own = try read(setting, user)
    let theirs = try read(setting, project)
    let fromEnvironment = try read(setting, environment)
    if let value = arguments[setting.option] ?? fromEnvironment { return value }
    guard let theirs else { return own }
    return isProjectTrusted ? theirs : setting.tighten?(own, theirs) ?? own
  }

  /// The strongest layer's list; an option that is given several times makes one list.
  func list<Element>(_ setting: Setting<[Element]>) throws(CommandFailure) -> [Element] {
    let strongest = try value(setting)
    let given = arguments.all(setting.option)
    return given.isEmpty ? strongest ?? [] : given.flatMap { $0 }
  }

  /// The lists of all layers together, for rules that accumulate.
  func all<Element>(_ setting: Setting<[Element]>) throws(CommandFailure) -> [Element] {
    try (read(setting, user) ?? []) + (read(setting, project) ?? []) + (read(setting, environment) ?? [])
      + arguments.all(setting.option).flatMap { $0 }
  }

  private func read<Value>(_ setting: Setting<Value>, _ file: ConfigurationFile?) throws(CommandFailure) -> Value? {
    guard let file, let value = file.value(setting.path), !value.isNull else { return nil }
    guard let read = setting.read(value) else {
      throw .usage(
        "\(file.place(setting.path)): \(setting.path.joined(separator: ".")) \(setting.complaint(about: value))")
    }
    return read
  }

  private func read<Value>(_ setting: Setting<Value>, _ environment: [String: String]) throws(CommandFailure) -> Value?
  {
    guard let text = environment[setting.variable], !text.isEmpty else { return nil }
    guard let value = setting.option.kind.parse(text) else {
      throw .usage("the environment's \(setting.variable) \(setting.option.kind.complaint(about: text))")
    }
    return value
  }
}
