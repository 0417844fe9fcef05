#if os(Linux)
  import Glibc

  extension CurlTransport {
    /// What holds for all requests of a transport.
    public struct Configuration: Sendable {
      /// Through which proxy requests go.
      public enum Proxy: Sendable, Hashable {
        /// As `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` say (also in upper case, but for `HTTP_PROXY`).
        case environment
        /// No proxy, whatever the environment says.
        case none
        /// `http://host:port`, `socks5://host:port` and what else libcurl understands.
        case url(String)
      }

      /// Which HTTP is spoken.
      public enum Version: Sendable, Hashable {
        /// HTTP/1.1 only: one connection for each request under way. A slow reader stops its own connection.
        case http1
        /// HTTP/2 where the server offers it over TLS: requests share a connection. libcurl then buffers up to 32 MiB for
        /// a reader that stops reading.
        case http2
      }

      /// Through which proxy requests go. By default the environment's.
      public var proxy: Proxy
      /// A file of trusted certificates (PEM) instead of the system's. By default the one that `SSL_CERT_FILE` or
      /// `CURL_CA_BUNDLE` names, which libcurl leaves to its users to read.
      public var certificateFile: String?
      /// Which HTTP is spoken. By default HTTP/1.1.
      public var version: Version
      /// A transfer pauses when its reader lets so many bytes lie. By default 256 KiB.
      public var bufferLimit: Int
      /// How many connections stay open for later requests. By default 32.
      public var idleConnectionLimit: Int

      /// What holds for all requests of a transport; every argument has a default.
      public init(
        proxy: Proxy = .environment, certificateFile: String? = Self.certificateFileOfEnvironment,
        version: Version = .http1,
        bufferLimit: Int = 256 << 10, idleConnectionLimit: Int = 32
      ) {
        self.proxy = proxy
        self.certificateFile = certificateFile
        self.version = version
        self.bufferLimit = bufferLimit
        self.idleConnectionLimit = idleConnectionLimit
      }

      /// The file of trusted certificates that the environment names; nil for none.
      public static var certificateFileOfEnvironment: String? {
        for name in ["SSL_CERT_FILE", "CURL_CA_BUNDLE"] as [String] {
          if let value = getenv(name), value.pointee != 0 { return String(cString: value) }
        }
        return nil
      }
    }
  }
#endif
