import MartletJSON

/// One request to a server, with all that its answer depends on.
struct ServerCall: Sendable {
  /// Ways to the client that belong to this request.
  struct Channel: Sendable {
    let notify: @Sendable (_ method: String, _ params: JSONObject) async throws -> Void
    /// Asks the client; nil where servers do not send requests.
    let ask: (@Sendable (_ method: String, _ params: JSONObject) async throws -> JSONObject)?
    /// Ends the stream to the client, which comes back for the rest; nil where it could not.
    let disconnect: (@Sendable () async -> Void)?
    /// Those who listen for changes the same way.
    let listeners: ListenGroup
  }

  let id: MCPRequestID
  let method: String
  let params: JSONObject
  let revision: MCPRevision
  let client: MCPClientCapabilities
  let clientInfo: MCPImplementation?
  let caller: MCPCaller
  let channel: Channel
  /// From which level on log messages are wanted; nil for none.
  let logLevel: MCPLogLevel?
  /// What a handshake settled; nil for a request that describes itself.
  let session: ServerSession?

  var facts: RevisionFacts { revision.facts }
  var meta: JSONObject { params[object: "_meta"] ?? [:] }

  /// Requests to a client need what it said it can do.
  func check(_ method: String, _ params: JSONObject) throws(MCPErrorObject) {
    var required = JSONObject()
    switch method {
    case Method.sample:
      if !client.hasSampling {
        required["sampling"] = [:]
      } else if params["tools"] != nil, !client.hasSamplingTools {
        required["sampling"] = ["tools": [:]]
      }
    case Method.elicit:
      let mode = MCPElicitationRequest(fields: params).mode
      if !client.elicitationModes.contains(mode) {
        required["elicitation"] = .object([mode.rawValue: [:]])
      }
    case Method.listRoots: if !client.hasRoots { required["roots"] = [:] }
    default: break
    }
    if required.isEmpty { return }
    throw missing(required)
  }

  /// The error for a client that did not declare what a request needs.
  func missing(_ required: JSONObject) -> MCPErrorObject {
    let message = "this needs a client with \(required.keys.joined(separator: ", "))"
    return facts.namesMissingCapabilities
      ? MCPErrorObject(.missingClientCapability, message, data: ["requiredCapabilities": .object(required)])
      : MCPErrorObject(.invalidRequest, message)
  }
}
