import MartletJSON

/// What a server says about itself when a client connects.
public struct MCPServerInfo: Sendable, Hashable {
  /// The revision that both speak.
  public var revision: MCPRevision
  /// What it can do.
  public var capabilities: MCPServerCapabilities
  /// Who it says it is; nil where it does not say.
  public var implementation: MCPImplementation?
  /// How to use it, for a model.
  public var instructions: String?

  /// What a server says about itself.
  public init(
    revision: MCPRevision, capabilities: MCPServerCapabilities, implementation: MCPImplementation? = nil,
    instructions: String? = nil
  ) {
    self.revision = revision
    self.capabilities = capabilities
    self.implementation = implementation
    self.instructions = instructions
  }

  init(initialized result: JSONObject, revision: MCPRevision) {
    self.init(
      revision: revision, capabilities: result[view: "capabilities"] ?? MCPServerCapabilities(),
      implementation: result[view: "serverInfo"], instructions: result[string: "instructions"])
  }

  init(discovered result: JSONObject, revision: MCPRevision) {
    self.init(
      revision: revision, capabilities: result[view: "capabilities"] ?? MCPServerCapabilities(),
      implementation: result[object: "_meta"]?[view: MetaKey.serverInfo] ?? result[view: "serverInfo"],
      instructions: result[string: "instructions"])
  }
}
