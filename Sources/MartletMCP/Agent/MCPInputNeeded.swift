public import MartletJSON

/// What a server needs of the user before it goes on with a call (2026-07-28), as an `input_requested` event holds it.
public struct MCPInputNeeded: Sendable, Hashable {
  /// The configured name of the server.
  public var server: String
  /// What it asks the user, by the key that each answer goes under.
  public var questions: [(key: String, question: MCPElicitationRequest)] {
    requests.compactMap { key, request in
      guard request["method"]?.stringValue == Method.elicit else { return nil }
      return (key, MCPElicitationRequest(fields: request["params"]?.objectValue ?? [:]))
    }
  }
  /// All that it asks, of the user and of the client.
  var requests: JSONObject
  /// What it wants back unread.
  var state: JSONValue?

  init(server: String, requests: JSONObject, state: JSONValue?) {
    self.server = server
    self.requests = requests
    self.state = state
  }

  /// Nil where it is something else.
  public init?(payload: JSONValue) {
    guard let server = payload["server"]?.stringValue, let requests = payload["requests"]?.objectValue else {
      return nil
    }
    self.init(server: server, requests: requests, state: payload["state"])
  }

  var payload: JSONValue {
    var payload: JSONObject = ["server": .string(server), "requests": .object(requests)]
    if let state { payload["state"] = state }
    return .object(payload)
  }

  /// How the call goes on, with the answers by their keys; nil declines all of it.
  func continuation(_ answers: JSONValue?) -> MCPContinuation {
    var responses = JSONObject()
    for (key, _) in questions {
      responses[key] = answers?[key] ?? .object(MCPElicitationResult.decline.fields)
    }
    return MCPContinuation(requests: requests, responses: responses, state: state)
  }
}

/// Where a request is taken up again for which the server wanted input.
struct MCPContinuation: Sendable {
  var requests: JSONObject
  /// The answers there are; the client gives the others itself.
  var responses: JSONObject
  var state: JSONValue?
}

/// Thrown by a request whose server needs the user, and nobody is there.
struct MCPInputDeferred: Error {
  var requests: JSONObject
  var state: JSONValue?
}
