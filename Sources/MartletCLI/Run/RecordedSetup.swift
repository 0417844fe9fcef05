import Martlet
import MartletJSON

/// What a recording keeps of how a run was set up, besides its options: everything that came from files, the environment or
/// a server, so that a replay needs none of them.
struct RecordedSetup: Sendable {
  /// The layers of configuration, without MCP servers.
  var layers: JSONObject
  /// Nil for the usual instructions.
  var instructions: String?
  var outputSchema: JSONValue?
  var catalogue: ToolCatalogue?
  /// Whether the model could load skills.
  var offersSkills: Bool
  /// Where answers could be kept.
  var scopes: Set<ApprovalScope>

  init(
    _ reader: SettingsReader, instructions: String?, outputSchema: JSONValue?, catalogue: ToolCatalogue?,
    offersSkills: Bool, scopes: Set<ApprovalScope>
  ) {
    layers = reader.recorded
    self.instructions = instructions
    self.outputSchema = outputSchema
    self.catalogue = catalogue
    self.offersSkills = offersSkills
    self.scopes = scopes
  }

  /// Nil of a recording that has none.
  init?(_ json: JSONValue?) throws {
    guard let json = json?.objectValue else { return nil }
    layers = json["configuration"]?.objectValue ?? [:]
    instructions = json["instructions"]?.stringValue
    outputSchema = json["output_schema"].flatMap { $0.isNull ? nil : $0 }
    catalogue = try json["catalogue"].flatMap { $0.isNull ? nil : try ToolCatalogue(json: $0) }
    offersSkills = json["skills"]?.boolValue ?? false
    scopes = Set(json["scopes"]?.arrayValue?.compactMap { $0.stringValue.flatMap(ApprovalScope.init(rawValue:)) } ?? [])
  }

  var json: JSONValue {
    var json: JSONObject = [
      "configuration": .object(layers), "skills": .bool(offersSkills),
      "scopes": .array(scopes.map(\.rawValue).sorted().map { .string($0) }),
    ]
    if let instructions { json["instructions"] = .string(instructions) }
    if let outputSchema { json["output_schema"] = outputSchema }
    if let catalogue { json["catalogue"] = catalogue.json }
    return .object(json)
  }

  /// The configuration as it was, under these options.
  func reader(_ arguments: ParsedArguments) -> SettingsReader { SettingsReader(recorded: layers, arguments) }
}

extension SettingsReader {
  /// The layers below the options, as a recording keeps them: what is a setting of a run, and no server's.
  fileprivate var recorded: JSONObject {
    let keys = Set(SettingKeys.all.map { $0.path[0] }).subtracting([MCPSources.key])
    func values(_ file: ConfigurationFile?) -> JSONValue {
      guard let file else { return .null }
      var values = JSONObject()
      for (key, value) in file.values where keys.contains(key) { values[key] = value }
      return .object(values)
    }
    var variables = JSONObject()
    for name in SettingKeys.all.compactMap(\.variable) {
      if let value = environment[name], !value.isEmpty { variables[name] = .string(value) }
    }
    return [
      "user": values(user), "project": values(project), "project_trusted": .bool(isProjectTrusted),
      "environment": .object(variables),
    ]
  }

  fileprivate init(recorded layers: JSONObject, _ arguments: ParsedArguments) {
    func file(_ key: String) -> ConfigurationFile? {
      layers[key]?.objectValue.map { ConfigurationFile(name: "the recorded \(key) configuration", values: $0) }
    }
    var environment: [String: String] = [:]
    for (name, value) in layers["environment"]?.objectValue ?? [:] { environment[name] = value.stringValue }
    self.init(
      user: file("user"), project: file("project"),
      isProjectTrusted: layers["project_trusted"]?.boolValue ?? false, environment: environment, arguments: arguments)
  }
}

/// Places for rules as they were, of which none is kept.
struct RecordedScopes: PermissionStore {
  let scopes: Set<ApprovalScope>
  func keep(_ rule: PermissionRule, _ verdict: ApprovalVerdict, for scope: ApprovalScope) async throws {}
}
