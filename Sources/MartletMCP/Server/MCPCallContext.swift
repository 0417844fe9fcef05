public import MartletJSON
import MartletSync

/// What a handler of a server knows about a request, and its way back to the client.
///
/// A handler may ask the client: ``elicit(_:as:)``, ``sample(_:as:)``, ``roots(as:)``. Where servers send requests the
/// answer comes while the handler waits. In later revisions the request ends with the question, and the client makes it
/// again with the answer: then the handler runs **again from its beginning**, and what was asked before is answered at
/// once. So ask before anything is done that must not be done twice, and ask in the same order each time.
public struct MCPCallContext: Sendable {
  let call: ServerCall
  let rounds: RequestRounds

  /// The request's id.
  public var id: MCPRequestID { call.id }
  /// The revision that the request is made in.
  public var revision: MCPRevision { call.revision }
  /// What the client can do.
  public var client: MCPClientCapabilities { call.client }
  /// Who the client says it is.
  public var clientInfo: MCPImplementation? { call.clientInfo }
  /// Who makes the request.
  public var caller: MCPCaller { call.caller }
  /// What the client attached.
  public var meta: JSONObject { call.meta }

  /// Tells the client how far the request has come, if it wants to know. The number must rise.
  public func progress(_ progress: Double, total: Double? = nil, message: String? = nil) async throws {
    guard let token = call.meta[MetaKey.progressToken], rounds.task == nil else { return }
    var params: JSONObject = [MetaKey.progressToken: token]
    params[double: "progress"] = progress
    params[double: "total"] = total
    params[string: "message"] = message
    try await call.channel.notify(Method.progress, params)
  }

  /// Writes to the client's log, if it wants messages of the level.
  public func log(_ level: MCPLogLevel, _ data: JSONValue, logger: String? = nil) async throws {
    guard let wanted = call.logLevel, level >= wanted, rounds.task == nil else { return }
    try await call.channel.notify(Method.message, MCPLogMessage(level, data, logger: logger).fields)
  }

  /// Asks the user.
  /// - Parameter key: names the question among those of this request.
  public func elicit(
    _ request: MCPElicitationRequest, as key: String = "elicitation"
  ) async throws -> MCPElicitationResult {
    var request = request
    if !call.facts.elicitationModes.contains(.url), request.mode == .form { request.fields["mode"] = nil }
    return MCPElicitationResult(fields: try await ask(key, Method.elicit, request.fields))
  }

  /// Asks the client's model.
  public func sample(_ request: MCPSamplingRequest, as key: String = "sampling") async throws -> MCPSamplingResult {
    MCPSamplingResult(fields: try await ask(key, Method.sample, request.fields))
  }

  /// Asks where the server may work.
  public func roots(as key: String = "roots") async throws -> [MCPRoot] {
    try await ask(key, Method.listRoots, [:])[views: "roots"]
  }

  /// One of several questions that are asked together.
  public enum Question: Sendable, Hashable {
    /// To the user.
    case elicit(MCPElicitationRequest)
    /// To the client's model.
    case sample(MCPSamplingRequest)
    /// Where the server may work.
    case roots

    var method: String {
      switch self {
      case .elicit: Method.elicit
      case .sample: Method.sample
      case .roots: Method.listRoots
      }
    }

    var params: JSONObject {
      switch self {
      case .elicit(let request): request.fields
      case .sample(let request): request.fields
      case .roots: [:]
      }
    }
  }

  /// Asks several things at once, each by its key, and gives the answers as they came.
  public func ask(_ questions: KeyValuePairs<String, Question>) async throws -> [String: JSONObject] {
    for (_, question) in questions { try call.check(question.method, question.params) }
    return try await rounds.ask(questions.map { ($0.key, $0.value.method, $0.value.params) }, call)
  }

  private func ask(_ key: String, _ method: String, _ params: JSONObject) async throws -> JSONObject {
    try call.check(method, params)
    return try await rounds.ask([(key, method, params)], call)[key] ?? [:]
  }

  /// Ends the stream that the client waits on, without ending the request: the client comes back for the answer after a
  /// while, where its revision allows that (2025-11-25 over HTTP with sessions). Nothing happens elsewhere.
  public func disconnect() async {
    if call.facts.primesStreams { await call.channel.disconnect?() }
  }

  /// What the handler put down in an earlier round; nil in the first. It comes back unchanged or not at all.
  public var state: JSONValue? { rounds.state }

  /// Puts down what the handler wants back in the next round. Only needed where a handler runs again; see above.
  public func keep(_ state: JSONValue) { rounds.keep(state) }

  /// Goes on as a task, if the client takes tasks for answers: it gets the task at once, and asks about it. Else the body
  /// runs here.
  ///
  /// Ask what must be known beforehand before this; a task that asks waits for its answers in place.
  public func detach(
    _ body: @escaping @Sendable (MCPCallContext) async throws -> MCPCallResult
  ) async throws -> MCPCallResult {
    guard rounds.task == nil, rounds.canDetach else { return try await body(self) }
    throw Detached(body: body)
  }

  /// Ends a handler that goes on as a task.
  struct Detached: Error {
    let body: @Sendable (MCPCallContext) async throws -> MCPCallResult
  }
}
