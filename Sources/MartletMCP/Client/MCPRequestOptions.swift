public import MartletJSON

/// How one request is made. Every property has a default.
public struct MCPRequestOptions: Sendable {
  /// How long the server may be silent; nil for the client's own limit. Progress renews it.
  public var timeout: Duration?
  /// How long it may take in all; nil for the client's own limit.
  public var totalTimeout: Duration?
  /// What is attached for the server (`_meta`).
  public var meta: JSONObject
  /// Told how far the request has come. Must not take long.
  public var onProgress: (@Sendable (MCPProgress) -> Void)?
  /// Whether an answer that is still fresh may be used again, for lists and resources. True by default.
  public var usesCache: Bool

  /// Where a request is taken up again.
  var continuation: MCPContinuation?

  /// Options; every argument has a default.
  public init(
    timeout: Duration? = nil, totalTimeout: Duration? = nil, meta: JSONObject = [:], usesCache: Bool = true,
    onProgress: (@Sendable (MCPProgress) -> Void)? = nil
  ) {
    self.timeout = timeout
    self.totalTimeout = totalTimeout
    self.meta = meta
    self.usesCache = usesCache
    self.onProgress = onProgress
  }
}
