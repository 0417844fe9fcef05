public import MartletJSON

extension MCPClient {
  /// The tools of the server, all pages, in its order. What cannot be used is left out and told to
  /// ``Configuration/onIncident``.
  public func tools(options: MCPRequestOptions = MCPRequestOptions()) async throws -> [MCPTool] {
    try await toolList(options: options).items
  }

  /// The tools of the server, with what is wrong with the list.
  public func toolList(options: MCPRequestOptions = MCPRequestOptions()) async throws -> MCPList<MCPTool> {
    let session = try await session()
    guard session.server.capabilities.hasTools else { return MCPList() }
    let all: MCPList<MCPTool> = try await pages(Method.listTools, "tools", options) { $0.name }
    let inspection = ToolInspection(all, mirrors: mirrorsHeaders(session))
    for problem in inspection.list.problems.dropFirst(all.problems.count) {
      configuration.onIncident(.list(method: Method.listTools, problem))
    }
    knownTools = inspection.known
    hasListedTools = true
    return inspection.list
  }

  /// Calls a tool and waits for what comes out, also if the server makes a task of it.
  ///
  /// Over HTTP the list of tools is read first if it was not yet, where arguments may have to be sent as headers.
  ///
  /// - Throws: ``MCPError``: ``MCPError/Code/refused`` if the server does not make the call,
  ///   ``MCPError/Code/invalidOutput`` if it was made and its structured content does not fit the promised schema, and
  ///   whatever else can go wrong; `CancellationError`. A tool that fails is no error here:
  ///   see ``MCPCallResult/isError``.
  public func call(
    _ name: String, _ arguments: JSONObject = [:], options: MCPRequestOptions = MCPRequestOptions()
  ) async throws -> MCPCallResult {
    switch try await start(name, arguments, options: options) {
    case .finished(let result): return result
    case .running(let task): return try await result(of: task, options: options)
    }
  }

  /// What became of a call.
  public enum CallOutcome: Sendable, Hashable {
    /// It is done.
    case finished(MCPCallResult)
    /// It goes on at the server. Ask for its result with ``MCPClient/result(of:options:)``.
    case running(MCPTask)
  }

  /// Calls a tool without waiting for a task that the server makes of it.
  /// - Parameter timeToLive: asks a server of 2025-11-25 to make a task of the call and keep it so long; later servers
  ///   decide themselves.
  public func start(
    _ name: String, _ arguments: JSONObject = [:], timeToLive: Duration? = nil,
    options: MCPRequestOptions = MCPRequestOptions()
  ) async throws -> CallOutcome {
    try await withSession { session in
      if !hasListedTools, mirrorsHeaders(session) { _ = try await toolList() }
      let known = knownTools[name]
      let headers = mirrorsHeaders(session) ? try known?.marked.headers(for: arguments) ?? [] : []
      var params: JSONObject = ["name": .string(name), "arguments": .object(arguments)]
      let wantsTask = timeToLive != nil || known?.tool.taskSupport == .required
      if session.facts.tasks == .core, wantsTask, session.server.capabilities.hasTasks {
        params["task"] = .object(JSONObject(present: ["ttl": timeToLive.map { JSONValue($0.wholeMilliseconds) }]))
        let result = try await session.request(Method.callTool, params, options, headers: headers)
        if let task = result[object: "task"] { return .running(try Self.task(task)) }
        return .finished(try checked(result, of: known, session))
      }
      let answer = try await answered(Method.callTool, params, options, headers: headers, on: session)
      if let task = answer.task { return .running(task) }
      return .finished(try checked(answer.object, of: known, session))
    }
  }

  private func mirrorsHeaders(_ session: ClientSession) -> Bool {
    session.facts.mirrorsHeaders && session.connection.transport.hasStreamPerRequest
  }

  /// Checks structured content against the schema that the tool promised.
  func checked(_ result: JSONObject, of known: KnownTool?, _ session: ClientSession) throws -> MCPCallResult {
    // Some servers leave the list out where they have nothing to say; what is there and is no list would be lost.
    if let content = result["content"], !content.isNull, content.arrayValue == nil {
      throw MCPError(.invalidResponse, "the answer cannot be used: the content of a tool's result is a list")
    }
    let result = MCPCallResult(fields: result)
    guard configuration.validatesOutput, !result.isError, let known, let schema = known.output else { return result }
    guard session.facts.structuredContent != .absent else { return result }
    guard let content = result.structuredContent else {
      throw MCPError(.invalidOutput, "the tool \"\(known.tool.name)\" promised structured content and gave none")
    }
    if let violation = schema.validate(content, limit: 1).first {
      throw MCPError(
        .invalidOutput,
        "the structured content of the tool \"\(known.tool.name)\" does not fit its schema: \(violation.keyword) at "
          + (violation.instancePath.isEmpty ? "the top" : violation.instancePath))
    }
    return result
  }
}
