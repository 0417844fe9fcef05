public import Martlet
public import MartletJSON

/// A tool of an MCP server, as an agent uses it.
///
/// What it says about its manners (annotations) counts only where the user trusts its server; else each call has an effect of
/// its own and needs permission. A call fails for itself when its server is gone: the next one starts it again, at most as
/// often as the client allows.
public struct MCPAgentTool: Tool {
  /// The configured name of the server.
  public let server: String
  /// The tool as the server describes it.
  public let tool: MCPTool
  public let name: String
  public let parameters: JSONValue
  public let effect: ToolEffect
  public let requiresPermission: Bool
  private let client: MCPClient
  private let signIn: (@Sendable () async throws -> Void)?
  private let afterwards: @Sendable () async -> Void

  /// A tool of a connected server; nil when its parameters are no JSON Schema that can be used.
  /// - Parameters:
  ///   - isTrusted: whether the user believes what the server says about its tools.
  ///   - signIn: gets what a call lacks that the server does not allow, perhaps from a person; then it is made once more.
  ///   - afterwards: runs after each call that was answered.
  public init?(
    _ tool: MCPTool, server: String, client: MCPClient, isTrusted: Bool = false,
    signIn: (@Sendable () async throws -> Void)? = nil, afterwards: @escaping @Sendable () async -> Void = {}
  ) {
    guard let parameters = Self.parameters(of: tool) else { return nil }
    self.server = server
    self.tool = tool
    self.client = client
    self.parameters = parameters
    self.signIn = signIn
    self.afterwards = afterwards
    name = MCPToolName.name(server: server, tool: tool.name)
    let annotations = tool.annotations ?? MCPToolAnnotations()
    if isTrusted {
      effect = annotations.isReadOnly ? .readOnly : annotations.isIdempotent ? .idempotent : .once
      requiresPermission = annotations.isDestructive
    } else {
      effect = .once
      requiresPermission = true
    }
  }

  public var title: String { tool.title ?? tool.name }
  public var description: String {
    guard let text = tool.description, !text.isEmpty else { return "\(title), a tool of the server \(server)." }
    return text
  }
  /// The client has limits of its own, which the server's progress renews.
  public var timeout: Duration? { client.configuration.timeouts.total + .seconds(30) }

  public var isRemote: Bool { true }

  public func call(arguments: JSONValue, context: ToolContext) async throws -> ToolOutput {
    guard case .object(let arguments) = arguments else { return .failure("The arguments must be an object.") }
    do {
      return try await call(arguments, context)
    } catch let error as MCPError where error.code == .unauthorized {
      guard let signIn else { return failure(error) }
      do {
        try await signIn()
        return try await call(arguments, context)
      } catch let error as MCPError {
        return failure(error)
      } catch let error as AuthorizationError {
        return .failure("\(name) was not run: \(error.message)")
      }
    }
  }

  /// Makes a call. Throws only what signing in may help with.
  private func call(_ arguments: JSONObject, _ context: ToolContext) async throws -> ToolOutput {
    do {
      try await client.connect()
    } catch let error as MCPError where error.code != .unauthorized || signIn == nil {
      return .failure(
        "The server \(server) cannot be reached, so \(name) was not run: \(error.message).", code: "server_unavailable")
    }
    try Task.checkCancellation()
    do {
      var options = MCPRequestOptions(onProgress: {
        context.progress($0.progress, total: $0.total, message: $0.message)
      })
      if let input = context.inputs.last, let needed = MCPInputNeeded(payload: input.payload) {
        options.continuation = needed.continuation(input.value)
      }
      let result = try await client.call(tool.name, arguments, options: options)
      await afterwards()
      return ToolOutput(result)
    } catch let deferred as MCPInputDeferred {
      let needed = MCPInputNeeded(server: server, requests: deferred.requests, state: deferred.state)
      throw InputNeeded(.elicitation, payload: needed.payload)
    } catch let error as MCPError where error.code != .unauthorized {
      return failure(error)
    }
  }

  private func failure(_ error: MCPError) -> ToolOutput {
    switch error.code {
    case .connectionClosed, .timedOut, .closed, .tooLarge, .invalidResponse, .invalidOutput:
      if effect == .once, error.code != .invalidOutput {
        return .failure(
          "\(name) has no result: \(error.message). It may or may not have taken effect; check before doing it again.",
          code: ToolResult.Code.outcomeUnknown.rawValue)
      }
      let code = error.code == .timedOut ? ToolResult.Code.timeout : .toolFailed
      return .failure("\(name) has no result: \(error.message).", code: code.rawValue)
    default:
      return .failure("\(name) was refused by its server: \(error.message)")
    }
  }

  /// The server's schema as it is, where models and checks can use it; without patterns that nobody understands otherwise.
  private static func parameters(of tool: MCPTool) -> JSONValue? {
    guard case .object(var schema) = tool.inputSchema else { return nil }
    if schema["type"] == nil { schema["type"] = "object" }
    let whole = JSONValue.object(schema)
    return [whole, withoutPatterns(whole)].first { (try? JSONSchema($0)) != nil }
  }

  private static func withoutPatterns(_ value: JSONValue) -> JSONValue {
    switch value {
    case .object(let object):
      var plain = JSONObject()
      for (key, value) in object {
        if key == "pattern", value.stringValue != nil { continue }
        if key == "patternProperties" { continue }
        plain[key] = withoutPatterns(value)
      }
      return .object(plain)
    case .array(let values): return .array(values.map(withoutPatterns))
    default: return value
    }
  }
}
