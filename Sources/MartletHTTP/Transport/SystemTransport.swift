#if canImport(Darwin)
  /// The transport of this platform: `URLSessionTransport` on Apple platforms, `CurlTransport` on Linux.
  public typealias SystemTransport = URLSessionTransport
#elseif os(Linux)
  /// The transport of this platform: ``CurlTransport`` on Linux, `URLSessionTransport` on Apple platforms.
  public typealias SystemTransport = CurlTransport
#endif
