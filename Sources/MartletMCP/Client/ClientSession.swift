import MartletJSON

/// A connection on which revision and capabilities are settled.
struct ClientSession: Sendable {
  let connection: PeerConnection
  /// Owned by the client, which cancels and awaits it.
  let running: Task<Void, Never>
  let server: MCPServerInfo
  let facts: RevisionFacts
  /// What describes each request, where requests describe themselves.
  let meta: JSONObject
  let configuration: MCPClient.Configuration

  /// Sends a request whose answer nobody waits for, without waiting for anything.
  func post(_ method: String, _ params: JSONObject) {
    var params = params
    if !meta.isEmpty { params["_meta"] = .object(meta) }
    connection.post(method, params)
  }

  /// Sends a request, described as the revision wants it, and checks what sort of result comes back.
  func request(
    _ method: String, _ params: JSONObject, _ options: MCPRequestOptions, headers: [(String, String)] = [],
    hasPatience: Bool = true, onSend: (@Sendable (MCPRequestID) -> Void)? = nil
  ) async throws -> JSONObject {
    var params = params
    var meta = meta
    meta.merge(options.meta)
    if !meta.isEmpty { params["_meta"] = .object(meta) }
    let timeouts = configuration.timeouts
    let patience = PeerEngine.Patience(
      silence: hasPatience ? options.timeout ?? timeouts.request : nil,
      total: hasPatience ? options.totalTimeout ?? max(timeouts.total, options.timeout ?? .zero) : nil)
    return try await connection.request(
      method, params, patience: patience, headers: headers, onProgress: options.onProgress, onSend: onSend)
  }
}
