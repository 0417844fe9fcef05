import MartletHTTP
import MartletJSON
import MartletMCPFixtures
import MartletSync
import MartletTesting

@testable import MartletMCP

/// A server that waits for the fixture's client, and what it finds in what the client sent.
struct ClientScenario: Sendable {
  typealias Answer = @Sendable (Exchange) async throws -> HTTPResponse

  /// One request of the client.
  struct Exchange: Sendable {
    let request: HTTPRequest
    let message: MCPMessage?
    let revision: MCPRevision
    /// How many requests of the same method there were, with this one.
    let count: Int

    var params: JSONObject { message?.params ?? [:] }
    var tool: String { params[string: "name"] ?? "" }
    var arguments: JSONObject { params[object: "arguments"] ?? [:] }
    /// The server's address, without a path.
    var origin: String { request.url.split(separator: "/").prefix(2).joined(separator: "//") }
    func header(_ name: String) -> String? { request.headers[name] }

    func result(_ result: JSONObject) -> HTTPResponse {
      var result = result
      if revision.era == .modern, result["resultType"] == nil { result["resultType"] = "complete" }
      return ScriptedHTTP.json(ScriptedHTTP.result(message, result))
    }

    func text(_ text: String) -> HTTPResponse { result(["content": [["type": "text", "text": .string(text)]]]) }

    func tools(_ tools: [JSONValue]) -> HTTPResponse {
      result(["tools": .array(tools), "ttlMs": 0, "cacheScope": "private"])
    }

    func failure(_ code: Int, status: Int, data: JSONValue? = nil) -> HTTPResponse {
      let error = MCPErrorObject(MCPErrorCode(rawValue: code), "no", data: data)
      return ScriptedHTTP.json(.failure(message?.id, error), status: status)
    }
  }

  /// What the suite hands to the client.
  var context: JSONObject = [:]
  /// Whether the handshake is the server's own affair.
  var introducesItself = false
  /// Answers what is no handshake.
  let answer: Answer
  /// Looks at everything that was sent, in order, and at why the client gave up.
  let judge: @Sendable ([Exchange], (any Error)?, Verdicts) -> Void

  /// Lets the client play against the server.
  func run(_ item: ConformanceCase, _ verdicts: Verdicts) async {
    let sent = Locked<[Exchange]>([])
    let http = ScriptedHTTP { request, _, _ in try await take(request, item.revision, sent) }
    let client = FixtureClient(
      scenario: item.name, url: "http://localhost:4000/mcp", revision: item.revision, context: context)
    var failure: (any Error)?
    do { try await client.run(over: http) } catch { failure = error }
    judge(sent.withLock { $0 }, failure, verdicts)
  }

  private func take(
    _ request: HTTPRequest, _ revision: MCPRevision, _ sent: Locked<[Exchange]>
  ) async throws -> HTTPResponse {
    let message = ScriptedHTTP.message(request)
    let exchange = sent.withLock { sent in
      let count = sent.count { $0.message?.method == message?.method && $0.request.method == request.method } + 1
      let exchange = Exchange(request: request, message: message, revision: revision, count: count)
      sent.append(exchange)
      return exchange
    }
    if !introducesItself, request.method == .post, let response = ScriptedHTTP.introduce(message, revision) {
      return response
    }
    return try await answer(exchange)
  }

  #if os(Linux)
    /// The same with the client as a program, over real HTTP. As in the suite the standing stream is open for ever.
    func runProgram(_ item: ConformanceCase, _ verdicts: Verdicts) async throws {
      let sent = Locked<[Exchange]>([])
      let (status, error) = try await LocalServers.with(1) { request in
        let response = try await take(request, item.revision, sent)
        guard request.method == .get, response.status == 405, request.headers["Last-Event-ID"] == nil else {
          return response
        }
        return HTTPResponse(
          status: 200, headers: ["content-type": "text/event-stream", "mcp-session-id": "s1"],
          body: HTTPBody(OpenBody(Array("data: \n\n".utf8))))
      } _: { origins async throws in
        try await BuiltProgram.runClient(item.name, item.revision, "\(origins[0])/mcp", context: context)
      }
      judge(sent.withLock { $0 }, status == 0 ? nil : MCPError(.closed, "status \(status ?? -1): \(error)"), verdicts)
    }
  #endif

  static func tool(_ name: String, _ properties: JSONObject = [:], required: [JSONValue] = []) -> JSONValue {
    [
      "name": .string(name), "description": "For the scenario.",
      "inputSchema": ["type": "object", "properties": .object(properties), "required": .array(required)],
    ]
  }

  static let addNumbers = tool(
    "add_numbers", ["a": ["type": "number"], "b": ["type": "number"]], required: ["a", "b"])
}

extension [ClientScenario.Exchange] {
  func of(_ method: String) -> [ClientScenario.Exchange] { filter { $0.message?.method == method } }
  func calls(_ tool: String) -> [ClientScenario.Exchange] { of("tools/call").filter { $0.tool == tool } }
}

/// A stream that says something and then nothing more.
private final class OpenBody: HTTPBodySource {
  private let first: Locked<[UInt8]?>

  init(_ first: [UInt8]) { self.first = Locked(first) }

  func next() async throws -> [UInt8]? {
    let chunk = first.withLock { first -> [UInt8]? in
      defer { first = nil }
      return first
    }
    if let chunk { return chunk }
    // Until the reader has gone.
    try await Gate().waitUnlessCancelled()
    return nil
  }
}
