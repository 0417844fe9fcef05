import MartletJSON

extension MCPServer {
  /// Serves one client over a transport until it ends or the task is cancelled, then closes the transport. Requests are
  /// answered at the same time; those that are open at the end are cancelled and waited for.
  ///
  /// Serves each revision in its own way, also on one connection: a request that describes itself is answered by that,
  /// others by what a handshake settled.
  /// - Throws: ``MCPError`` if the transport cannot be opened; `CancellationError`.
  public func serve(_ transport: any MCPTransport) async throws {
    try await transport.open()
    let (session, connection) = connect(transport)
    let listener = follow(session, connection)
    await connection.run()
    changes.remove(listener)
    await transport.close()
    try Task.checkCancellation()
  }

  /// Serves itself to a client in the same process.
  public func client(
    configuration: MCPClient.Configuration = MCPClient.Configuration()
  ) -> MCPClient { MCPClient(InProcessServerTransport(self), configuration: configuration) }

  func connect(_ transport: any MCPTransport, caller: MCPCaller = MCPCaller()) -> (ServerSession, PeerConnection) {
    let session = ServerSession()
    let holder = WeakConnection()
    let listeners = ListenGroup()
    let configuration = configuration
    let connection = PeerConnection(
      transport, clock: clock, context: MCPSendContext(), drainTime: .seconds(2),
      handlers: PeerConnection.Handlers(
        request: { [self] id, method, params in
          guard let connection = holder.connection else { throw CancellationError() }
          return try await answer(id, method, params, session, connection, listeners, caller)
        },
        notification: { _, _ in },
        incident: { configuration.onFault($0.description, nil) },
        unsent: { [self] in discard($0, caller: caller) }, closing: { listeners.end() }))
    holder.connection = connection
    return (session, connection)
  }

  /// Tells a session what changes.
  func follow(_ session: ServerSession, _ connection: PeerConnection) -> Int {
    changes.add { [weak connection] change in
      if session.wants(change) { connection?.tell(change.method, change.params.isEmpty ? nil : change.params) }
    }
  }

  private func answer(
    _ id: MCPRequestID, _ method: String, _ params: JSONObject, _ session: ServerSession,
    _ connection: PeerConnection, _ listeners: ListenGroup, _ caller: MCPCaller
  ) async throws -> JSONObject {
    let notify: @Sendable (String, JSONObject) async throws -> Void = { method, params in
      try await connection.notify(method, params, related: id)
    }
    if describesItself(params) || method == Method.discover {
      return try await answer(
        try described(
          id, method, params, caller: caller,
          channel: ServerCall.Channel(notify: notify, ask: nil, disconnect: nil, listeners: listeners)))
    }
    if method == Method.initialize {
      let (revision, result) = try initialize(params, session)
      connection.agree(on: revision)
      return result
    }
    guard let agreement = session.agreement else {
      if method == Method.ping { return [:] }
      throw MCPErrorObject(.invalidRequest, "the first request must be `initialize`, or describe itself in `_meta`")
    }
    let patience = PeerEngine.Patience(silence: configuration.answerTimeout, total: configuration.answerTimeout)
    let channel = ServerCall.Channel(
      notify: notify,
      ask: { method, params in try await connection.request(method, params, patience: patience, related: id) },
      disconnect: { await (connection.transport as? HTTPSession)?.disconnect(id) }, listeners: listeners)
    return try await answer(
      ServerCall(
        id: id, method: method, params: params, revision: agreement.revision, client: agreement.client,
        clientInfo: agreement.clientInfo, caller: caller, channel: channel, logLevel: session.logLevel,
        session: session))
  }

  /// Whether a request says itself what it is to be answered by.
  func describesItself(_ params: JSONObject) -> Bool { params[object: "_meta"]?[MetaKey.revision] != nil }

  /// The handshake.
  func initialize(
    _ params: JSONObject, _ session: ServerSession
  ) throws -> (revision: MCPRevision, result: JSONObject) {
    let legacy = configuration.revisions.filter(\.facts.hasHandshake)
    guard let best = legacy.max() else {
      let versions = configuration.revisions.sorted().map(\.rawValue)
      throw MCPErrorObject(
        .unsupportedRevision, "this server has no handshake; it speaks \(versions.joined(separator: ", "))",
        data: ["supported": .array(versions.map { .string($0) }), "requested": params["protocolVersion"] ?? .null])
    }
    let version = try Self.string("protocolVersion", in: params)
    let revision = MCPRevision(rawValue: version).flatMap { legacy.contains($0) ? $0 : nil } ?? best
    session.agreement = ServerSession.Agreement(
      revision: revision, client: (params[view: "capabilities"] ?? MCPClientCapabilities()).limited(to: revision),
      clientInfo: params[view: "clientInfo"])
    let result = JSONObject(present: [
      "protocolVersion": .string(revision.rawValue), "capabilities": capabilities(revision.facts).json,
      "serverInfo": info.json, "instructions": .text(configuration.instructions),
    ])
    return (revision, result)
  }

  /// A request that describes itself.
  /// - Throws: `MCPErrorObject` for a description that is missing, wrong or of an unknown revision.
  func described(
    _ id: MCPRequestID, _ method: String, _ params: JSONObject, caller: MCPCaller, channel: ServerCall.Channel
  ) throws -> ServerCall {
    guard let meta = params[object: "_meta"] else {
      throw MCPErrorObject(.invalidParams, "`_meta` is missing, which must describe the request")
    }
    let version = try Self.described(meta, MetaKey.revision, \.stringValue, "a string")
    let modern = configuration.revisions.filter { !$0.facts.hasHandshake }
    guard let revision = MCPRevision(rawValue: version), modern.contains(revision) else {
      let supported = modern.sorted(by: >).map { JSONValue.string($0.rawValue) }
      throw MCPErrorObject(
        .unsupportedRevision, "this server does not speak the revision that the request is made in",
        data: ["supported": .array(supported), "requested": .string(version)])
    }
    let client = try Self.described(meta, MetaKey.clientCapabilities, \.objectValue, "an object")
    var level: MCPLogLevel?
    if let wanted = meta[MetaKey.logLevel], !wanted.isNull {
      level = wanted.stringValue.flatMap(MCPLogLevel.init(rawValue:))
      if level == nil { throw MCPErrorObject(.invalidParams, "`\(MetaKey.logLevel)` is no level") }
    }
    return ServerCall(
      id: id, method: method, params: params, revision: revision,
      client: MCPClientCapabilities(fields: client).limited(to: revision),
      clientInfo: meta[view: MetaKey.clientInfo], caller: caller, channel: channel, logLevel: level, session: nil)
  }

  private static func described<T>(
    _ meta: JSONObject, _ key: String, _ read: (JSONValue) -> T?, _ kind: String
  ) throws -> T {
    guard let value = meta[key], !value.isNull else {
      throw MCPErrorObject(.invalidParams, "`\(key)` is missing in `_meta`")
    }
    guard let result = read(value) else { throw MCPErrorObject(.invalidParams, "`\(key)` must be \(kind)") }
    return result
  }
}
