#if os(Linux)
  import CCurl

  extension HTTPError {
    /// What a result of libcurl means. `detail` is libcurl's own text about it; it holds names and addresses of hosts and
    /// reasons of the system, no header and no query.
    init(_ result: CURLcode, connected: Bool, origin: String, detail: String) {
      let reason = detail.isEmpty ? "" : " (\(detail))"
      switch result {
      case CURLE_URL_MALFORMAT:
        self.init(.invalidURL, "The URL cannot be read\(reason).")
      case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
        self.init(.cannotResolve, "Cannot find the host of \(origin)\(reason).")
      case CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED, CURLE_PROXY:
        self.init(.cannotConnect, "Cannot connect to \(origin)\(reason).")
      case CURLE_OPERATION_TIMEDOUT where !connected:
        self.init(.connectTimeout, "No connection to \(origin) in time\(reason).")
      case CURLE_OPERATION_TIMEDOUT:
        self.init(.idleTimeout, "\(origin) stopped answering\(reason).")
      case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
        CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_ENGINE_NOTFOUND,
        CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_PINNEDPUBKEYNOTMATCH,
        CURLE_SSL_INVALIDCERTSTATUS, CURLE_USE_SSL_FAILED:
        self.init(.tls, "No trusted connection to \(origin)\(reason).")
      case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING:
        self.init(.invalidResponse, "\(origin) sent what is not an HTTP response\(reason).")
      case CURLE_OUT_OF_MEMORY:
        self.init(.unavailable, "There is not enough memory for the request.")
      case CURLE_GOT_NOTHING:
        self.init(.connectionLost, "\(origin) closed the connection without a response.")
      case CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM:
        self.init(.connectionLost, "The connection to \(origin) broke before the response was complete\(reason).")
      default:
        self.init(.connectionLost, "The request to \(origin) failed\(reason).")
      }
    }
  }
#endif
