import MartletHTTP
import MartletJSON

/// What was posted, with the headers that must agree with it.
struct HTTPMessage {
  let incoming: MCPIncoming
  let headers: HTTPHeaders
  let caller: MCPCaller

  init(_ incoming: MCPIncoming, headers: HTTPHeaders, caller: MCPCaller) {
    self.incoming = incoming
    self.headers = headers
    self.caller = caller
  }

  var version: String? { headers[HTTPHeaderName.revision]?.trimmed }
  var sessionID: String? { headers[HTTPHeaderName.session]?.trimmed }

  /// The requests in it.
  var ids: [MCPRequestID] {
    switch incoming {
    case .message(.request(let id, _, _)): [id]
    case .batch(let elements):
      elements.compactMap { if case .message(.request(let id, _, _)) = $0 { id } else { nil } }
    default: []
    }
  }

  /// Whether it is to be answered by what it says about itself. A handshake never is.
  func isModern(_ server: MCPServer) -> Bool {
    guard case .message(let message) = incoming else { return isModernVersion }
    if let params = message.params, server.describesItself(params) { return true }
    if message.method == Method.discover { return true }
    return isModernVersion
  }

  /// A revision with which no session begins: a modern one, or one that nobody knows where no session is named.
  private var isModernVersion: Bool {
    guard let version else { return false }
    guard let revision = MCPRevision(rawValue: version) else { return sessionID == nil }
    return !revision.facts.hasHandshake
  }

  /// Headers must say what the body says, so that what stands between can trust them.
  func checkHeaders(_ message: MCPMessage, _ server: MCPServer, marked: MarkedArguments?) throws(MCPErrorObject) {
    if let meta = message.params?[object: "_meta"]?[string: MetaKey.revision] {
      try check(HTTPHeaderName.revision, is: meta)
    }
    try check(HTTPHeaderName.method, is: message.method ?? "")
    if let name = message.routedName {
      guard let header = headers[HTTPHeaderName.name].flatMap({ HeaderText.decoded($0.trimmed) }), header == name else {
        throw Self.mismatch(HTTPHeaderName.name)
      }
    }
    let arguments = message.params?[object: "arguments"] ?? [:]
    for mark in marked?.marks ?? [] {
      let header = MarkedArguments.headerPrefix + mark.name
      switch (MarkedArguments.value(at: mark.path, in: arguments), headers[header]) {
      case (nil, nil): break
      case (let value?, let text?):
        guard let decoded = HeaderText.decoded(text.trimmed), Self.agree(decoded, value, mark.kind) else {
          throw Self.mismatch(header)
        }
      default: throw Self.mismatch(header)
      }
    }
  }

  private func check(_ name: String, is expected: String) throws(MCPErrorObject) {
    guard headers[name]?.trimmed == expected else { throw Self.mismatch(name) }
  }

  private static func agree(_ header: String, _ value: JSONValue, _ kind: MarkedArguments.Kind) -> Bool {
    if kind == .integer, let number = value.numberValue { return JSONNumber(text: header) == number }
    // A value of the wrong type is the schema's affair, not the header's.
    guard let text = MarkedArguments.text(value, kind) else { return true }
    return header == text
  }

  private static func mismatch(_ name: String) -> MCPErrorObject {
    MCPErrorObject(.headerMismatch, "the header `\(name)` is missing or does not say what the body says")
  }

  /// The HTTP status that goes with an error.
  static func status(of error: MCPErrorObject) -> Int {
    switch error.code {
    case .methodNotFound: 404
    case .headerMismatch, .missingClientCapability, .unsupportedRevision, .parseError, .invalidRequest: 400
    default: 200
    }
  }
}
