#if os(Linux)
  import MartletHTTP
  public import MartletHTTPServer
  import MartletJSON
  import MartletTesting

  extension ProviderSimulator {
    /// Routes for a server of your own: every path of the provider, and `GET /_simulator/verdict`: how many requests were
    /// taken and refused, and why.
    public func routes() -> [HTTPRoute] {
      let verdict = HTTPRoute(.get, "/_simulator/verdict") { [self] _ in
        HTTPResponse(
          status: 200, headers: ["content-type": "application/json"], body: HTTPBody(self.verdict.bytes()))
      }
      let methods: [HTTPRequest.Method] = [.get, .post]
      return [verdict]
        + methods.map { method in
          HTTPRoute(method, "/{path...}") { [self] request in
            try await answer(method, request.target, headers: request.headers, body: request.body)
          }
        }
    }

    /// Starts a server for it; end it with `stop()`.
    /// - Parameter port: 0 takes a free one.
    public func startServer(address: String = "127.0.0.1", port: UInt16 = 0) throws -> HTTPServer {
      try HTTPServer(Self.configuration(address, port), routes: routes())
    }

    /// Runs `body` with a server for it on this machine, and stops it afterwards in any case.
    public func withServer<Result>(port: UInt16 = 0, _ body: (HTTPServer) async throws -> Result) async throws -> Result
    {
      try await HTTPServer.withServer(Self.configuration("127.0.0.1", port), routes: routes(), body)
    }

    /// Images make requests large.
    private static func configuration(_ address: String, _ port: UInt16) -> HTTPServer.Configuration {
      .init(address: address, port: port, bodyLimit: 256 << 20)
    }

    /// `{"requests", "refused", "violations": [{"rule", "status", "message"}…]}`.
    private var verdict: JSONValue {
      let exchanges = exchanges
      return [
        "requests": JSONValue(exchanges.count),
        "refused": JSONValue(exchanges.count { !$0.violations.isEmpty }),
        "violations": .array(
          exchanges.flatMap(\.violations).map { violation in
            [
              "rule": .string(violation.rule), "status": JSONValue(violation.status),
              "message": .string(violation.message),
            ]
          }),
      ]
    }
  }
#endif
