#if os(Linux)
  import MartletHTTP
  import MartletMCP

  /// How the command gets tokens for MCP servers: in the user's browser, kept in the data directory.
  struct ServerSignIn {
    let places: Places
    let console: Console
    let environment: [String: String]
    /// Whether a person sits there who can agree.
    let isAttended: Bool

    /// The authorizer of a server.
    func authorizer(
      of server: String, _ configuration: OAuthConfiguration = OAuthConfiguration(), transport: any HTTPTransport
    ) throws -> OAuthAuthorizer {
      let store: any TokenStore =
        if let data = places.data { FileTokenStore(directory: data + "/mcp-tokens") } else { InMemoryTokenStore() }
      let page = BrowserPage(console: console, environment: environment)
      return try OAuthAuthorizer(
        server: server, configuration: configuration, transport: transport, store: store,
        userAgent: isAttended ? LoopbackUserAgent(show: { try await page.show($0) }) : nil,
        // A request is given up long before a person has found the browser.
        asksOnlyToSignIn: true)
    }
  }
#endif
