import MartletHTTP
import MartletJSON
import MartletSync

@testable import MartletMCP

/// A client that sends what a scenario says, right or wrong, over real HTTP.
struct RawPeer: Sendable {
  /// What came back.
  struct Reply: Sendable {
    var status: Int
    var headers: HTTPHeaders
    /// In the order they came: the answer, and what was on the stream before it.
    var messages: [JSONValue] = []

    var answer: JSONValue? { messages.last { $0["method"] == nil } }
    var result: JSONObject? { answer?["result"]?.objectValue }
    var errorCode: Int? { answer?["error"]?["code"]?.intValue }
    var errorData: JSONValue? { answer?["error"]?["data"] }
    /// The text of the first block.
    var text: String { result?["content"]?[0]?["text"]?.stringValue ?? "" }
    /// What came with that method: notifications and requests.
    func all(_ method: String) -> [JSONObject] {
      messages.filter { $0["method"]?.stringValue == method }.map { $0["params"]?.objectValue ?? [:] }
    }
    var summary: String { "status \(status), \(messages.map { $0.text() }.joined(separator: " "))" }
  }

  private struct State {
    var session: String?
    var lastID = 0
  }

  let url: String
  let revision: MCPRevision
  /// What the client says it can do.
  var capabilities: JSONObject = [
    "sampling": [:], "elicitation": ["form": [:]], "roots": [:],
  ]
  private let http = SystemTransport()
  private let state = Locked(State())

  init(_ url: String, _ revision: MCPRevision) {
    self.url = url
    self.revision = revision
  }

  var isModern: Bool { revision.era == .modern }
  var session: String? { state.withLock { $0.session } }

  func declaring(_ capabilities: JSONObject) -> RawPeer {
    var peer = self
    peer.capabilities = capabilities
    return peer
  }

  /// What describes a request of this client.
  var meta: JSONObject {
    [
      MetaKey.revision: .string(revision.rawValue), MetaKey.clientCapabilities: .object(capabilities),
      MetaKey.clientInfo: ["name": "suite", "version": "1"],
    ]
  }

  /// Shakes hands where the revision has that.
  @discardableResult
  func begin() async throws -> Reply? {
    guard !isModern else { return nil }
    let reply = try await ask(
      "initialize",
      [
        "protocolVersion": .string(revision.rawValue), "capabilities": .object(capabilities),
        "clientInfo": ["name": "suite", "version": "1"],
      ])
    state.withLock { $0.session = reply.headers["Mcp-Session-Id"] }
    try await tell("notifications/initialized")
    return reply
  }

  /// Makes a request and reads until its answer. What the server asks meanwhile gets what `answers` has for the method.
  func ask(
    _ method: String, _ params: JSONObject = [:], id: JSONValue? = nil, headers: [String: String?] = [:],
    answers: [String: JSONObject] = [:]
  ) async throws -> Reply {
    let request = described(method, params, id: id)
    return try await read(try await post(request, headers), id: request["id"]) { message in
      guard let asked = message["id"], let method = message["method"]?.stringValue else { return true }
      var answer: JSONObject = ["jsonrpc": "2.0", "id": asked]
      if let result = answers[method] {
        answer["result"] = .object(result)
      } else {
        answer["error"] = ["code": -32601, "message": "not here"]
      }
      try await post(.object(answer)).body.finish()
      return true
    }
  }

  func call(
    _ tool: String, _ arguments: JSONObject = [:], more: JSONObject = [:], headers: [String: String?] = [:],
    answers: [String: JSONObject] = [:]
  ) async throws -> Reply {
    var params: JSONObject = ["name": .string(tool), "arguments": .object(arguments)]
    params.merge(more)
    return try await ask("tools/call", params, headers: headers, answers: answers)
  }

  @discardableResult
  func tell(_ method: String) async throws -> Int {
    let response = try await post(["jsonrpc": "2.0", "method": .string(method)])
    response.body.finish()
    return response.status
  }

  /// A request as this client makes it. `_meta` that is given is sent with the rest of it.
  func described(_ method: String, _ params: JSONObject, id: JSONValue? = nil) -> JSONValue {
    let id =
      id
      ?? JSONValue(
        state.withLock {
          $0.lastID += 1; return $0.lastID
        })
    var params = params
    if isModern {
      var meta = meta
      meta.merge(params["_meta"]?.objectValue ?? [:])
      params["_meta"] = .object(meta)
    }
    return ["jsonrpc": "2.0", "id": id, "method": .string(method), "params": .object(params)]
  }

  /// Sends a body with the headers that belong to it; those that are given replace them, nil removes.
  func post(_ body: JSONValue, _ overrides: [String: String?] = [:]) async throws -> HTTPResponse {
    var headers: HTTPHeaders = [
      "Content-Type": "application/json", "Accept": "application/json, text/event-stream",
    ]
    if isModern {
      headers["MCP-Protocol-Version"] = revision.rawValue
      headers["Mcp-Method"] = body["method"]?.stringValue
      let params = body["params"]
      let name = params?["name"] ?? params?["uri"] ?? params?["taskId"]
      headers["Mcp-Name"] = name?.stringValue
    } else if let session {
      headers["Mcp-Session-Id"] = session
      if revision.facts.hasVersionHeader { headers["MCP-Protocol-Version"] = revision.rawValue }
    }
    for (name, value) in overrides {
      headers[name] = nil
      if let value { headers.add(name, value) }
    }
    return try await http.send(HTTPRequest(.post, url, headers: headers, body: .bytes(body.bytes())))
  }

  func send(_ method: HTTPRequest.Method, _ headers: HTTPHeaders = [:]) async throws -> HTTPResponse {
    var headers = headers
    headers["Mcp-Session-Id"] = session
    headers["MCP-Protocol-Version"] = revision.rawValue
    headers["Accept"] = "text/event-stream"
    return try await http.send(HTTPRequest(method, url, headers: headers))
  }

  /// Reads a response: until the answer to `id`, until its end, or until `each` has enough.
  func read(
    _ response: HTTPResponse, id: JSONValue? = nil, each: (JSONValue) async throws -> Bool = { _ in true }
  ) async throws -> Reply {
    var reply = Reply(status: response.status, headers: response.headers)
    guard response.mediaType == "text/event-stream" else {
      let bytes = try await response.body.bytes(limit: 1 << 22)
      if !bytes.isEmpty, response.mediaType == "application/json" { reply.messages = [try JSONValue(parsing: bytes)] }
      return reply
    }
    var decoder = ServerSentEventDecoder()
    for try await chunk in response.body {
      decoder.append(chunk)
      while let event = try decoder.next() {
        guard !event.data.isEmpty else { continue }
        let message = try JSONValue(parsing: Array(event.data))
        reply.messages.append(message)
        let isAnswer = message["method"] == nil && message["id"] == id
        guard try await each(message), !isAnswer else {
          response.body.finish()
          return reply
        }
      }
    }
    return reply
  }
}
