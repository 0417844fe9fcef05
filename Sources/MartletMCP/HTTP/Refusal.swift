import MartletHTTP

/// A response that says no.
struct Refusal: Error {
  let status: Int
  let error: MCPErrorObject
  let id: MCPRequestID?
  var headers: HTTPHeaders

  init(_ status: Int, _ error: MCPErrorObject, id: MCPRequestID? = nil, _ headers: HTTPHeaders = [:]) {
    self.status = status
    self.error = error
    self.id = id
    self.headers = headers
  }

  init(_ status: Int, _ code: MCPErrorCode, _ message: String, _ headers: HTTPHeaders = [:]) {
    self.init(status, MCPErrorObject(code, message), headers)
  }

  var response: HTTPResponse {
    var headers = headers
    headers["Content-Type"] = "application/json"
    return HTTPResponse(status: status, headers: headers, body: HTTPBody(MCPMessage.failure(id, error).bytes))
  }
}

extension StringProtocol {
  /// Without blanks and tabs around it.
  var trimmed: String {
    let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    var rest = self[...]
    while let first = rest.first, isBlank(first) { rest = rest.dropFirst() }
    while let last = rest.last, isBlank(last) { rest = rest.dropLast() }
    return String(rest)
  }
}
