import MartletHTTP
import MartletJSON
import MartletSync

@testable import MartletMCP

/// Takes requests straight to a handler, as a server would after the network.
final class HandlerTransport: HTTPTransport {
  let handler: MCPHTTPHandler
  private let sent = Locked<[HTTPRequest]>([])

  init(_ handler: MCPHTTPHandler) { self.handler = handler }

  var requests: [HTTPRequest] { sent.withLock { $0 } }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    sent.withLock { $0.append(request) }
    var headers = request.headers
    if headers["Host"] == nil { headers["Host"] = "localhost:80" }
    let body: [UInt8] = if case .bytes(let bytes) = request.body { bytes } else { [] }
    let response = await handler.respond(to: request.method, headers: headers, body: HTTPBody(body))
    try Task.checkCancellation()
    return response
  }
}

/// Answers requests as a test says.
final class ScriptedHTTP: HTTPTransport {
  typealias Answer =
    @Sendable (_ request: HTTPRequest, _ message: MCPMessage?, _ count: Int) async throws -> HTTPResponse
  private let answer: Answer
  private let sent = Locked<[HTTPRequest]>([])

  init(_ answer: @escaping Answer) { self.answer = answer }

  var requests: [HTTPRequest] { sent.withLock { $0 } }
  func requests(_ method: String) -> [HTTPRequest] { requests.filter { Self.message($0)?.method == method } }

  static func message(_ request: HTTPRequest) -> MCPMessage? {
    guard case .bytes(let bytes) = request.body, case .message(let message) = MCPIncoming(decoding: bytes) else {
      return nil
    }
    return message
  }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let count = sent.withLock { sent in
      sent.append(request)
      return sent.count
    }
    return try await answer(request, Self.message(request), count)
  }

  static func json(_ message: MCPMessage, status: Int = 200, headers: HTTPHeaders = [:]) -> HTTPResponse {
    var headers = headers
    headers["Content-Type"] = "application/json; charset=utf-8"
    return HTTPResponse(status: status, headers: headers, body: HTTPBody(message.bytes))
  }

  static func events(_ chunks: [String]) -> HTTPResponse {
    HTTPResponse(
      status: 200, headers: ["content-type": "text/event-stream"], body: HTTPBody(chunks: chunks.map { Array($0.utf8) })
    )
  }

  /// A result with the id of what is answered.
  static func result(_ message: MCPMessage?, _ result: JSONObject) -> MCPMessage { .result(message?.id ?? 0, result) }

  /// How a server of a revision begins; nil for anything else.
  static func introduce(_ message: MCPMessage?, _ revision: MCPRevision) -> HTTPResponse? {
    guard let message, let method = message.method else { return nil }
    if method == "notifications/initialized" { return HTTPResponse(status: 202) }
    do {
      let capabilities: JSONValue = ["tools": [:]]
      guard let result = try FakeServer.introduce(method, message.params ?? [:], revision, capabilities) else {
        return nil
      }
      return json(Self.result(message, result), headers: revision.era == .legacy ? ["mcp-session-id": "s1"] : [:])
    } catch {
      return HTTPResponse(status: 400, body: HTTPBody(Array("Bad Request: no session".utf8)))
    }
  }
}
