import Martlet
import MartletHTTP
import MartletJSON
import MartletTesting

/// One provider's protocol, from the server's side. Values in, values out: no connection, no time.
protocol ProviderWire: Sendable {
  /// How a stream of it is framed.
  var framing: WireFraming { get }
  /// The most bytes a request may have.
  var bodyLimit: Int { get }
  /// Headers of every answer.
  func headers(requestID: String) -> HTTPHeaders
  /// What a request asks for; nil for a path that the service does not have.
  func endpoint(_ method: HTTPRequest.Method, _ path: String, query: [(name: String, value: String)]) -> WireEndpoint?
  /// The key that was sent.
  func key(in headers: HTTPHeaders, query: [(name: String, value: String)]) -> String?
  /// Whether a key is needed at all.
  var needsKey: Bool { get }
  /// What is wrong with the head of a request whose key is right.
  func headFailure(_ headers: HTTPHeaders) -> WireFailure?
  /// What is wrong with a request. The service answers with the first.
  func violations(in call: WireCall, issued: [[JSONValue]]) -> [RuleViolation]
  /// How many replies of the model its history holds; neighbouring ones count as one.
  func replies(in body: JSONValue) -> Int
  /// The text that the user said last.
  func lastPrompt(in body: JSONValue) -> String
  /// The events of a reply.
  func stream(_ reply: SimulatedReply, to call: WireCall) -> [WireFrame]
  /// The reply as one document, and the part of it that clients send back as history.
  func whole(_ reply: SimulatedReply, to call: WireCall) -> JSONValue
  func tokenCount(_ count: Int) -> JSONValue
  func modelList(_ names: [String]) -> JSONValue
  /// The body of an error.
  func errorBody(_ failure: WireFailure, requestID: String) -> JSONValue
  /// An error in a stream that had begun.
  func errorFrame(_ failure: WireFailure, requestID: String) -> WireFrame
  /// The failure of a missing or wrong key, an unknown path, an unknown model.
  func keyFailure(isMissing: Bool) -> WireFailure
  func pathFailure(_ method: HTTPRequest.Method, _ path: String) -> WireFailure
  func modelFailure(_ model: String) -> WireFailure
  /// The failure of a body that is no JSON.
  func bodyFailure(_ error: JSONError) -> WireFailure
}

extension ProviderWire {
  func headFailure(_ headers: HTTPHeaders) -> WireFailure? { nil }
  var needsKey: Bool { true }
  var bodyLimit: Int { 32 << 20 }
}

/// What a request asks for.
enum WireEndpoint: Sendable, Hashable {
  /// A reply. Model and streaming are in the path where the body does not have them.
  case reply(model: String?, streams: Bool?)
  case countTokens(model: String?)
  case models
}

/// A request for a reply.
struct WireCall: Sendable {
  let body: JSONValue
  let headers: HTTPHeaders
  let model: String
  /// Bytes of the body, for the counts of tokens.
  let size: Int
  let requestID: String
  let ids: WireIDs

  func usage(of reply: SimulatedReply) -> Usage { reply.usage(requestBytes: size) }
}

/// A failure as a provider tells it. What is nil is what the provider says for the status.
struct WireFailure: Sendable, Hashable {
  var status: Int
  var type: String?
  var code: String?
  var param: String?
  var message: String?
  var retryDelay: String?

  init(_ status: Int, type: String? = nil, code: String? = nil, param: String? = nil, _ message: String? = nil) {
    self.status = status
    self.type = type
    self.code = code
    self.param = param
    self.message = message
  }

  init(_ violation: RuleViolation) {
    self.init(
      violation.status, type: violation.type, code: violation.code, param: violation.param, violation.message)
  }

  /// What a fault asks for.
  init(_ fault: SimulatedFault, status: Int) {
    self.init(status, type: fault.errorType, code: fault.errorCode, fault.errorMessage)
    retryDelay = fault.retryDelay
  }
}

/// One event of a stream, before it is framed.
struct WireFrame: Sendable {
  /// The name of a server-sent event; nil for none.
  var name: String?
  var data: [UInt8]

  init(_ name: String? = nil, _ json: JSONValue) {
    self.name = name
    data = json.bytes()
  }

  init(text: String) { data = Array(text.utf8) }
}

/// How events become bytes.
enum WireFraming: Sendable {
  case serverSentEvents(lineBreak: SimulatedFault.LineBreak)
  /// One JSON document a line.
  case lines

  var mediaType: String {
    switch self {
    case .serverSentEvents: "text/event-stream"
    case .lines: "application/x-ndjson"
    }
  }

  func bytes(_ frame: WireFrame, fault: SimulatedFault?) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(frame.data.count + 64)
    switch self {
    case .serverSentEvents(let own):
      let end = (fault?.lineBreak ?? own).rawValue.utf8
      if fault?.hasComments == true {
        bytes += ": keep-alive".utf8
        bytes += end
        bytes += end
      }
      if let name = frame.name {
        bytes += "event: \(name)".utf8
        bytes += end
      }
      bytes += "data: ".utf8
      bytes += frame.data
      bytes += end
      bytes += end
    case .lines:
      bytes += frame.data
      bytes += (fault?.lineBreak == .crlf ? "\r\n" : "\n").utf8
    }
    return bytes
  }
}
