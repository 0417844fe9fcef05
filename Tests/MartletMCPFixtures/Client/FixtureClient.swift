import MartletCrypto
package import MartletHTTP
package import MartletJSON
package import MartletMCP

/// The client that the official conformance suite of MCP (0.2.0-alpha.11) starts once for each scenario: what it is to do
/// comes from the environment, the server's URL is its last argument.
package struct FixtureClient: Sendable {
  /// Which scenario, by the suite's name.
  package var scenario: String
  /// The server.
  package var url: String
  /// The revision that the suite is about; nil where it does not say.
  package var revision: MCPRevision?
  /// What the scenario brings along: credentials, calls to make.
  package var context: JSONObject

  /// Why nothing can be done.
  package struct Problem: Error, CustomStringConvertible {
    package let description: String
  }

  package init(scenario: String, url: String, revision: MCPRevision? = nil, context: JSONObject = [:]) {
    self.scenario = scenario
    self.url = url
    self.revision = revision
    self.context = context
  }

  /// Reads the suite's variables.
  package init(environment: [String: String], arguments: [String]) throws {
    guard let scenario = environment["MCP_CONFORMANCE_SCENARIO"], let url = arguments.last else {
      throw Problem(description: "MCP_CONFORMANCE_SCENARIO must name a scenario, and the last argument be a URL")
    }
    var context = JSONObject()
    if let text = environment["MCP_CONFORMANCE_CONTEXT"], !text.isEmpty {
      guard let object = try JSONValue(parsing: text).objectValue else {
        throw Problem(description: "MCP_CONFORMANCE_CONTEXT must be a JSON object")
      }
      context = object
    }
    self.init(
      scenario: scenario, url: url,
      revision: environment["MCP_CONFORMANCE_PROTOCOL_VERSION"].flatMap(MCPRevision.init(rawValue:)), context: context)
  }

  /// Plays the scenario.
  /// - Throws: also where the scenario wants the client to refuse.
  package func run(over http: any HTTPTransport = SystemTransport()) async throws {
    var options = HTTPClientTransport.Options()
    if scenario.hasPrefix("auth/") { options.authorizer = try authorizer(over: http) }
    let client = MCPClient(
      HTTPClientTransport(url, over: http, options: options),
      configuration: .init(
        info: MCPImplementation(name: "martlet-mcp-fixture-client", version: "1.0.0"), handlers: handlers,
        revisions: revisions))
    do {
      try await (Self.plays[scenario] ?? Self.callFirst)(client, context)
      await client.close()
    } catch {
      await client.close()
      throw error
    }
  }

  private var revisions: MCPClient.Revisions {
    guard let revision, revision.era == .legacy else { return .automatic }
    return .legacy(revision)
  }

  private var handlers: MCPClientHandlers {
    MCPClientHandlers(
      sampling: { _ in MCPSamplingResult(["Anything"], model: "fixture") },
      elicitation: { request in
        // What is left out gets the form's defaults.
        request.mode == .form
          ? .accept(request.schema["properties"]?["confirmed"] == nil ? [:] : ["confirmed": true])
          : .decline
      },
      roots: { [MCPRoot(uri: "file:///tmp/fixture", name: "fixture")] })
  }

  // MARK: What to do

  private typealias Play = @Sendable (MCPClient, JSONObject) async throws -> Void

  private static let plays: [String: Play] = [
    "initialize": { client, _ in _ = try await client.tools() },
    "tools_call": addNumbers, "request-metadata": addNumbers, "http-standard-headers": useEverything,
    "sse-retry": { client, _ in _ = try await client.call("test_reconnection") },
    "elicitation-sep1034-client-defaults": { client, _ in
      _ = try await client.tools()
      _ = try await client.call("test_client_elicitation_defaults")
    },
    "sep-2322-client-request-state": { client, _ in
      let offered = Set(try await client.tools().map(\.name))
      for name in ["test_mrtr_echo_state", "test_mrtr_unrelated", "test_mrtr_no_state", "test_mrtr_no_result_type"] {
        _ = try await client.call(name)
      }
      // Newer than the rest.
      if offered.contains("test_mrtr_state_only") { _ = try await client.call("test_mrtr_state_only") }
    },
    "http-custom-headers": { client, context in
      _ = try await client.tools()
      for call in context["toolCalls"]?.arrayValue ?? [] {
        _ = try await client.call(call["name"]?.stringValue ?? "", call["arguments"]?.objectValue ?? [:])
      }
    },
    "http-invalid-tool-headers": { client, _ in
      for tool in try await client.tools() { _ = try await client.call(tool.name, sample(of: tool)) }
    },
    "json-schema-ref-no-deref": { client, _ in _ = try await client.tools() },
    "json-schema-2020-12-preservation": { client, _ in
      let tool = try await client.tools().first { $0.name == "json_schema_2020_12_tool" }
      guard let tool else { throw Problem(description: "the server lists no json_schema_2020_12_tool") }
      _ = try await client.call("json_schema_echo", ["schema": tool.inputSchema])
    },
  ]

  private static let addNumbers: Play = { client, _ in
    _ = try await client.tools()
    _ = try await client.call("add_numbers", ["a": 5, "b": 3])
  }

  /// The call that is asked for, and whatever else of the server goes by a name.
  private static let useEverything: Play = { client, context in
    let tools = try await client.tools()
    _ = try await client.call(
      tools.first { $0.name == "add_numbers" }?.name ?? tools.first?.name ?? "add_numbers",
      ["a": 5, "b": 3])
    guard let offered = await client.server?.capabilities else { return }
    if offered.hasResources {
      for resource in try await client.resources() { _ = try await client.read(resource.uri) }
    }
    if offered.hasPrompts {
      for prompt in try await client.prompts() { _ = try await client.prompt(prompt.name) }
    }
  }

  private static let callFirst: Play = { client, _ in
    guard let tool = try await client.tools().first else { throw Problem(description: "the server lists no tools") }
    _ = try await client.call(tool.name, sample(of: tool))
  }

  /// Arguments that a tool requires, of the right types.
  private static func sample(of tool: MCPTool) -> JSONObject {
    var arguments = JSONObject()
    for name in (tool.inputSchema["required"]?.arrayValue ?? []).compactMap(\.stringValue) {
      switch tool.inputSchema["properties"]?[name]?["type"]?.stringValue {
      case "integer", "number": arguments[name] = 1
      case "boolean": arguments[name] = true
      default: arguments[name] = "text"
      }
    }
    return arguments
  }

  // MARK: Authorization

  private func authorizer(over http: any HTTPTransport) throws -> OAuthAuthorizer {
    try OAuthAuthorizer(
      server: url, configuration: authorization(), transport: http,
      userAgent: HeadlessUserAgent(transport: http, redirectURI: "http://localhost:3000/callback"))
  }

  private func authorization() throws -> OAuthConfiguration {
    func given(_ key: String) throws -> String {
      guard let text = context[key]?.stringValue else {
        throw Problem(description: "MCP_CONFORMANCE_CONTEXT has no `\(key)`")
      }
      return text
    }
    func client() throws -> OAuthClient {
      if let pem = context["private_key_pem"]?.stringValue {
        return OAuthClient(id: try given("client_id"), proof: .privateKey(try ES256PrivateKey(pem: pem)))
      }
      let secret = context["client_secret"]?.stringValue
      return OAuthClient(id: try given("client_id"), proof: secret.map { .secret($0) } ?? .none)
    }
    switch scenario {
    case "auth/client-credentials-jwt", "auth/client-credentials-basic":
      return OAuthConfiguration(grant: .clientCredentials, client: try client())
    case "auth/pre-registration": return OAuthConfiguration(client: try client())
    case "auth/enterprise-managed-authorization":
      let token = try given("idp_id_token")
      let identity = EnterpriseIdentity(
        issuer: try given("idp_issuer"), tokenEndpoint: try given("idp_token_endpoint"),
        client: OAuthClient(id: try given("idp_client_id")), subjectToken: { token })
      return OAuthConfiguration(grant: .enterprise(identity), client: try client())
    case "auth/wif-jwt-bearer":
      let token = try given("valid_jwt")
      return OAuthConfiguration(grant: .assertion { _, _ in token }, client: try client())
    case "auth/dpop", "auth/dpop-nonce": return OAuthConfiguration(bindsTokens: true)
    default:
      return OAuthConfiguration(clientMetadataURL: "https://conformance-test.local/client-metadata.json")
    }
  }
}
