import MartletJSON

/// Finds the configuration files, asks once whether a project's is trusted, and says what of them does not count.
struct ConfigurationLoader {
  let context: CommandContext
  let places: Places

  func load(_ arguments: ParsedArguments) async throws -> SettingsReader {
    let user = try places.userConfiguration.flatMap { path throws(CommandFailure) in
      try ConfigurationFile(path: path, places: places)
    }
    var project = try ConfigurationFile(path: places.projectConfiguration, places: places)
    // In the home directory the two may be one file.
    if let own = user, let theirs = project, FileAccess.canonical(own.path) == FileAccess.canonical(theirs.path) {
      project = nil
    }
    for file in [user, project] { if let file { try check(file) } }
    var isTrusted = true
    if let project { isTrusted = try await decideOnTrust(project, over: user) }
    return SettingsReader(
      user: user, project: project, isProjectTrusted: isTrusted, environment: context.environment, arguments: arguments)
  }

  /// Unknown keys are notices, since a later version may know them; in `permissions` they are errors, since a rule with a
  /// spelling mistake must not fail to protect.
  private func check(_ file: ConfigurationFile) throws(CommandFailure) {
    let known = Set(SettingKeys.all.map { $0.path[0] })
    for key in file.values.keys where !known.contains(key) && key != "$schema" {
      if SettingKeys.later.contains(key) {
        context.console.notice("\(file.place([key])): \(key) is not available yet and is ignored")
      } else {
        let near = NearestName.of(key, among: known.union(SettingKeys.later))
        context.console.notice(
          "\(file.place([key])): there is no setting \(key.quotedShort), it is ignored"
            + (near.map { "; did you mean \($0)?" } ?? ""))
      }
    }
    guard let permissions = file.values["permissions"], !permissions.isNull else { return }
    guard let permissions = permissions.objectValue else {
      throw .usage("\(file.place(["permissions"])): permissions takes an object with approve, allow, ask and deny")
    }
    let parts = SettingKeys.all.filter { $0.path[0] == "permissions" }.map { $0.path[1] }
    if let key = permissions.keys.first(where: { !parts.contains($0) }) {
      throw .usage(
        "\(file.place(["permissions", key])): there is no setting permissions.\(ControlFilter.line(key)); known are "
          + parts.joined(separator: ", "))
    }
  }

  /// What a project's file wants beyond making things tighter.
  static func wishes(_ file: ConfigurationFile, over own: ConfigurationFile? = nil) -> [String] {
    SettingKeys.all.filter { $0.asksForMore(own, file) }.map { $0.path.joined(separator: ".") }
      + file.values.keys.filter(SettingKeys.later.contains)
  }

  private func decideOnTrust(_ file: ConfigurationFile, over own: ConfigurationFile?) async throws -> Bool {
    let wishes = Self.wishes(file, over: own)
    guard !wishes.isEmpty else { return false }
    let list = wishes.map(ControlFilter.line).joined(separator: ", ")
    guard let data = places.data else { return false }
    let store = TrustStore(path: data + "/trust.json")
    switch store.standing(of: file) {
    case .trusted: return true
    case .refused: break
    case .unknown:
      guard let terminal = context.terminal else { break }
      let answer = try await terminal.choose(
        "\(ControlFilter.line(file.name)) sets: \(list).\nTrust this file as it is now? It counts as your own then. [y/n] ",
        ["y", "n"])
      guard let answer else { break }
      do {
        _ = try places.makeData()
        try store.remember(answer == "y", file)
      } catch let error as FileAccess.Failure {
        context.console.notice("the answer could not be kept in \(places.short(store.path)): \(error.reason)")
      }
      if answer == "y" { return true }
    }
    context.console.notice(
      "\(file.name) is not trusted, so it can only tighten: ignored are \(list)"
        + (store.standing(of: file) == .unknown ? "; start martlet in a terminal to be asked about it" : ""))
    return false
  }
}
