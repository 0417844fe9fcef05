/// The transport of this platform: ``CurlTransport`` on Linux, `URLSessionTransport` on Apple platforms.
#if canImport(Darwin)
  public typealias SystemTransport = URLSessionTransport
#elseif os(Linux)
  public typealias SystemTransport = CurlTransport
#endif
