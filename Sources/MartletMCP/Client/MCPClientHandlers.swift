import MartletJSON

/// What a client does for a server that asks. What is nil is not offered, and a server that asks all the same is refused.
public struct MCPClientHandlers: Sendable {
  /// Lets the client's model say something.
  public typealias Sampling = @Sendable (MCPSamplingRequest) async throws -> MCPSamplingResult
  /// Asks the user.
  public typealias Elicitation = @Sendable (MCPElicitationRequest) async throws -> MCPElicitationResult
  /// Tells where the server may work.
  public typealias Roots = @Sendable () async throws -> [MCPRoot]

  /// Lets the client's model say something.
  public var sampling: Sampling?
  /// Whether ``sampling`` takes tools. False by default.
  public var samplesWithTools: Bool
  /// Asks the user. Fields that the answer to a form leaves out get the form's defaults.
  public var elicitation: Elicitation?
  /// Whether the user can be asked later where there is no ``elicitation``: an agent's call then parks its run until the
  /// answer comes. Only for revisions in which a call can be taken up again (2026-07-28); servers of others are told that
  /// there is nobody. False by default.
  public var parksElicitation = false
  /// How ``elicitation`` can ask; both by default.
  public var elicitationModes: Set<MCPElicitationMode>
  /// Tells where the server may work.
  public var roots: Roots?

  /// Handlers; none by default.
  public init(
    sampling: Sampling? = nil, samplesWithTools: Bool = false, elicitation: Elicitation? = nil,
    elicitationModes: Set<MCPElicitationMode> = [.form, .url], roots: Roots? = nil
  ) {
    self.sampling = sampling
    self.samplesWithTools = samplesWithTools
    self.elicitation = elicitation
    self.elicitationModes = elicitationModes
    self.roots = roots
  }

  /// What of it can be offered in a revision.
  func capabilities(_ facts: RevisionFacts, extensions: JSONObject) -> MCPClientCapabilities {
    var capabilities = MCPClientCapabilities()
    if sampling != nil {
      capabilities.fields["sampling"] = samplesWithTools && facts.samplesWithTools ? ["tools": [:]] : [:]
    }
    let modes = elicitationModes.intersection(facts.elicitationModes)
    if elicitation != nil || (parksElicitation && !facts.serverAsks), !modes.isEmpty {
      var offered = JSONObject()
      // A revision that knows only forms has an empty capability.
      if facts.elicitationModes.count > 1 {
        for mode in [MCPElicitationMode.form, .url] where modes.contains(mode) { offered[mode.rawValue] = [:] }
      }
      capabilities.fields["elicitation"] = .object(offered)
    }
    if roots != nil { capabilities.fields["roots"] = facts.serverAsks ? ["listChanged": true] : [:] }
    if facts.hasExtensions { capabilities.extensions = extensions }
    return capabilities
  }

  /// Answers what a server asks.
  func answer(_ method: String, _ params: JSONObject) async throws -> JSONObject {
    switch method {
    case Method.sample:
      guard let sampling else { break }
      return try await sampling(MCPSamplingRequest(fields: params)).fields
    case Method.elicit:
      let request = MCPElicitationRequest(fields: params)
      guard let elicitation, elicitationModes.contains(request.mode) else { break }
      return Self.completed(try await elicitation(request), for: request).fields
    case Method.listRoots:
      guard let roots else { break }
      return ["roots": .objects(try await roots())]
    default: break
    }
    throw MCPErrorObject(.methodNotFound, "this client does not answer \(method)")
  }

  private static func completed(
    _ result: MCPElicitationResult, for request: MCPElicitationRequest
  ) -> MCPElicitationResult {
    guard result.action == .accept, request.mode == .form else { return result }
    var content = request.defaults
    content.merge(result.content)
    return .accept(content)
  }
}
