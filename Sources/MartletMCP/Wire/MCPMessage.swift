public import MartletJSON

/// One message between peers (JSON-RPC 2.0).
public enum MCPMessage: Sendable, Hashable {
  /// Asks for something; the peer answers with ``result(_:_:)`` or ``failure(_:_:)`` of the same id.
  case request(MCPRequestID, method: String, params: JSONObject?)
  /// Tells something; nobody answers.
  case notification(method: String, params: JSONObject?)
  /// The answer to a request.
  case result(MCPRequestID, JSONObject)
  /// Why a request has no answer. Without an id where the peer could not read it.
  case failure(MCPRequestID?, MCPErrorObject)

  /// The message as JSON.
  public var json: JSONValue {
    var object: JSONObject = ["jsonrpc": "2.0"]
    switch self {
    case .request(let id, let method, let params):
      object["id"] = id.json
      object["method"] = .string(method)
      if let params { object["params"] = .object(params) }
    case .notification(let method, let params):
      object["method"] = .string(method)
      if let params { object["params"] = .object(params) }
    case .result(let id, let result):
      object["id"] = id.json
      object["result"] = .object(result)
    case .failure(let id, let error):
      object["id"] = id?.json ?? .null
      object["error"] = error.json
    }
    return .object(object)
  }

  /// The JSON text in UTF-8, without any line break.
  public var bytes: [UInt8] { json.bytes() }

  /// The method of a request or notification.
  public var method: String? {
    switch self {
    case .request(_, let method, _), .notification(let method, _): method
    case .result, .failure: nil
    }
  }

  /// The parameters of a request or notification.
  public var params: JSONObject? {
    switch self {
    case .request(_, _, let params), .notification(_, let params): params
    case .result, .failure: nil
    }
  }

  /// The id of a request or reply.
  public var id: MCPRequestID? {
    switch self {
    case .request(let id, _, _), .result(let id, _): id
    case .failure(let id, _): id
    case .notification: nil
    }
  }
}
