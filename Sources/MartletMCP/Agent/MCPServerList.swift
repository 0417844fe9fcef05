public import MartletJSON

/// The servers of a configuration, in the shape that Claude Desktop, Cursor, VS Code and others use.
///
/// `{"mcpServers": {"name": {"command": …, "args": …, "env": …, "cwd": …}}}`, or `url` and `headers` in place of `command`;
/// `servers`, also under `mcp`, in place of `mcpServers`. An entry that cannot be used leaves the others alone.
public struct MCPServerList: Sendable, Hashable {
  /// An entry that cannot be used.
  public struct Problem: Sendable, Hashable {
    /// The server's name.
    public var name: String
    /// What is wrong, safe to show.
    public var reason: String
  }

  /// The servers, by name.
  public private(set) var servers: [MCPServerEntry] = []
  /// Entries that cannot be used.
  public private(set) var problems: [Problem] = []

  /// No servers.
  public init() {}

  /// The servers of an object of entries.
  public init(_ entries: JSONObject, variables: MCPVariables) {
    for (name, entry) in entries {
      do throws(Unusable) {
        servers.append(try Self.entry(name, entry, variables))
      } catch {
        problems.append(Problem(name: name, reason: error.reason))
      }
    }
    servers.sort { $0.name < $1.name }
    problems.sort { $0.name < $1.name }
  }

  /// The entries of a whole file; nil if it has none of the known shapes.
  public static func entries(of document: JSONValue) -> JSONObject? {
    for path in [["mcpServers"], ["servers"], ["mcp", "servers"]] {
      let value = path.reduce(JSONValue?.some(document)) { value, key in value?[key] }
      if let entries = value?.objectValue { return entries }
    }
    return nil
  }

  /// The same with the servers of another list, which win over those of the same name.
  public func merged(with stronger: Self) -> Self {
    let names = Set(stronger.servers.map(\.name) + stronger.problems.map(\.name))
    var merged = Self()
    merged.servers = (servers.filter { !names.contains($0.name) } + stronger.servers).sorted { $0.name < $1.name }
    merged.problems = (problems.filter { !names.contains($0.name) } + stronger.problems).sorted { $0.name < $1.name }
    return merged
  }

  /// The server of a name alone.
  public func only(_ name: String) -> Self {
    var one = Self()
    one.servers = servers.filter { $0.name == name }
    one.problems = problems.filter { $0.name == name }
    return one
  }

  struct Unusable: Error {
    var reason: String
  }

  private static func entry(
    _ name: String, _ json: JSONValue, _ variables: MCPVariables
  ) throws(Unusable) -> MCPServerEntry {
    guard case .object(let fields) = json else { throw Unusable(reason: "an object is expected") }
    guard !name.isEmpty else { throw Unusable(reason: "it has no name") }
    func text(_ key: String) throws(Unusable) -> String? {
      guard let value = fields[key], !value.isNull else { return nil }
      guard let text = value.stringValue else { throw Unusable(reason: "\(key) must be a text") }
      return try variables.expand(text)
    }
    func flag(_ key: String) throws(Unusable) -> Bool? {
      guard let value = fields[key], !value.isNull else { return nil }
      guard let flag = value.boolValue else { throw Unusable(reason: "\(key) must be true or false") }
      return flag
    }
    func texts(_ key: String) throws(Unusable) -> [String: String] {
      guard let value = fields[key], !value.isNull else { return [:] }
      guard let object = value.objectValue else { throw Unusable(reason: "\(key) must be an object") }
      var texts: [String: String] = [:]
      for (name, value) in object {
        let text = value.stringValue ?? value.numberValue?.text ?? value.boolValue.map { "\($0)" }
        guard let text else { throw Unusable(reason: "\(key).\(name) must be a text") }
        texts[name] = try variables.expand(text)
      }
      return texts
    }
    var entry = MCPServerEntry(name: name, place: .remote(url: "", headers: [:]))
    entry.isDisabled = try flag("disabled") ?? false
    if try flag("enabled") == false { entry.isDisabled = true }
    entry.isTrusted = try flag("trust") ?? false
    // What is not used needs no variables.
    if entry.isDisabled, let place = Self.plainPlace(fields) {
      entry.place = place
      return entry
    }
    var type = try text("type")
    if type == nil { type = try text("transport") }
    let remote: Set = ["http", "sse", "streamable-http", "streamableHttp", "streamable_http"]
    if let type, type != "stdio", !remote.contains(type) {
      throw Unusable(reason: "there is no type \"\(type.prefix(40))\"; known are stdio, http and sse")
    }
    var url: String?
    for key in ["url", "httpUrl", "serverUrl"] where url == nil { url = try text(key) }
    if let command = try text("command"), type == nil || type == "stdio" {
      guard !command.isEmpty else { throw Unusable(reason: "command is empty") }
      var arguments: [String] = []
      if let values = fields["args"], !values.isNull {
        guard let list = values.arrayValue else { throw Unusable(reason: "args must be a list of texts") }
        for value in list {
          guard let text = value.stringValue ?? value.numberValue?.text else {
            throw Unusable(reason: "args must be a list of texts")
          }
          arguments.append(try variables.expand(text))
        }
      }
      let directory = try text("cwd").map(variables.path)
      entry.place = .program(
        command: command, arguments: arguments, environment: try texts("env"), directory: directory)
    } else if let url, type != "stdio" {
      guard url.hasPrefix("https://") || url.hasPrefix("http://") else {
        throw Unusable(reason: "its url must begin with https:// or http://")
      }
      entry.place = .remote(url: url, headers: try texts("headers"))
      entry.clientID = fields["oauth"]?["clientId"]?.stringValue
      entry.scopes = fields["oauth"]?["scopes"]?.arrayValue?.compactMap(\.stringValue)
    } else {
      throw Unusable(reason: type == nil || type == "stdio" ? "it needs a command or a url" : "it needs a url")
    }
    return entry
  }

  private static func plainPlace(_ fields: JSONObject) -> MCPServerEntry.Place? {
    if let command = fields["command"]?.stringValue {
      return .program(command: command, arguments: [], environment: [:], directory: nil)
    }
    let url = fields["url"] ?? fields["httpUrl"] ?? fields["serverUrl"]
    return url?.stringValue.map { .remote(url: $0, headers: [:]) }
  }
}
