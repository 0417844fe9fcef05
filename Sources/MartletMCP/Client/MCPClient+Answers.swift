import MartletJSON

extension MCPClient {
  /// The end of a request that may take several rounds.
  struct Answer: Sendable {
    var object: JSONObject
    /// Whether it took input that only this caller gave.
    var hadRounds = false
    /// What goes on, if the server has not finished.
    var task: MCPTask?
  }

  /// Requests that may ask for input.
  private static let asking: Set = [Method.callTool, Method.getPrompt, Method.readResource]

  /// Makes a request, and again with what the server asks for until it has an answer.
  func answered(
    _ method: String, _ params: JSONObject, _ options: MCPRequestOptions, headers: [(String, String)] = [],
    on session: ClientSession
  ) async throws -> Answer {
    var round = params
    var rounds = 0
    if let continuation = options.continuation {
      rounds += 1
      var responses = continuation.responses
      let others = continuation.requests.filter { responses[$0.key] == nil }
      for (key, value) in try await gather(JSONObject(others)) { responses[key] = value }
      if !responses.isEmpty { round["inputResponses"] = .object(responses) }
      if let state = continuation.state { round["requestState"] = state }
    }
    while true {
      let result: JSONObject
      do {
        result = try await session.request(method, round, options, headers: headers)
      } catch let error as MCPError where error.reply?.code == .urlElicitationRequired && rounds == 0 {
        rounds += 1
        try await visit(error)
        continue
      }
      let kind = session.facts.marksResults ? result[string: "resultType"] ?? "complete" : "complete"
      switch kind {
      case "complete": return Answer(object: result, hadRounds: rounds > 0)
      case "task" where method == Method.callTool:
        return Answer(object: result, hadRounds: rounds > 0, task: try Self.task(result))
      case "input_required" where Self.asking.contains(method):
        rounds += 1
        guard rounds <= configuration.roundLimit else {
          throw MCPError(.tooManyRounds, "the server asked for input \(rounds) times; the limit is \(rounds - 1)")
        }
        let requests = result[object: "inputRequests"] ?? [:]
        let requestState = result["requestState"]
        guard !requests.isEmpty || requestState != nil else {
          throw MCPError(.invalidResponse, "the server wants input and does not say which")
        }
        let isForUser = requests.contains { $0.value["method"]?.stringValue == Method.elicit }
        if isForUser, configuration.handlers.elicitation == nil, configuration.handlers.parksElicitation,
          method == Method.callTool
        {
          throw MCPInputDeferred(requests: requests, state: requestState)
        }
        // A new round is built from the first, so that nothing of an older one is left.
        round = params
        if !requests.isEmpty { round["inputResponses"] = .object(try await gather(requests)) }
        if let requestState { round["requestState"] = requestState }
      default:
        throw MCPError(.invalidResponse, "the server answered \(method) with a result of an unknown type")
      }
    }
  }

  /// Sends the user where a server wants them to go before it makes a call (2025-11-25), and waits until they are done.
  /// - Throws: the server's error, if the user does not go or does not come back in time.
  private func visit(_ error: MCPError) async throws {
    let elicitations = (error.reply?.data?["elicitations"]?.arrayValue ?? []).compactMap(\.objectValue)
    guard !elicitations.isEmpty, configuration.handlers.elicitation != nil else { throw error }
    let notifications = notifications()
    var open: Set<String> = []
    for elicitation in elicitations {
      try Task.checkCancellation()
      let answer = try await configuration.handlers.answer(Method.elicit, elicitation)
      guard MCPElicitationResult(fields: answer).action == .accept else { throw error }
      if let id = elicitation[string: "elicitationId"] { open.insert(id) }
    }
    let waiting = open
    let isDone = await clock.race(until: clock.now() + configuration.timeouts.total) {
      var open = waiting
      var reader = notifications.makeAsyncIterator()
      // Ends early only when the time is up or the client is closed.
      while !open.isEmpty, let notification = try? await reader.next() {
        if case .elicitationCompleted(let id) = notification { open.remove(id) }
      }
    }
    try Task.checkCancellation()
    if !isDone { throw error }
  }

  /// Gets what the server asks for, one after the other: a person may be asked.
  func gather(_ requests: JSONObject) async throws -> JSONObject {
    var responses = JSONObject()
    for (key, request) in requests {
      try Task.checkCancellation()
      let method = request["method"]?.stringValue ?? ""
      do {
        responses[key] = .object(
          try await configuration.handlers.answer(method, request["params"]?.objectValue ?? [:]))
      } catch let error as MCPErrorObject {
        throw MCPError(.inputDeclined, "the server needs input that this client does not give", reply: error)
      }
    }
    return responses
  }

  static func task(_ result: JSONObject) throws -> MCPTask {
    do {
      return try MCPTask(json: .object(result))
    } catch {
      throw MCPError(.invalidResponse, "the server answered with a task that cannot be used: \(error)")
    }
  }

  /// All pages of a list.
  func pages<Item: MCPObject>(
    _ method: String, _ key: String, _ options: MCPRequestOptions, identity: @escaping @Sendable (Item) -> String
  ) async throws -> MCPList<Item> {
    let list = try await withSession { session in
      var reader = PageReader(key: key, limit: configuration.pageLimit, identity: identity)
      var params = JSONObject()
      while true {
        let page = try await cachedRequest(method, params, options, on: session)
        guard case .page(let cursor) = reader.take(page) else { return reader.list }
        params["cursor"] = .string(cursor)
      }
    }
    for problem in list.problems { configuration.onIncident(.list(method: method, problem)) }
    return list
  }

  func require(_ isOffered: Bool, _ what: String) throws {
    if !isOffered { throw MCPError(.notSupported, "the server does not offer \(what)") }
  }
}
