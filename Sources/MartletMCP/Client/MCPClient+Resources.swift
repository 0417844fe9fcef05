import MartletJSON

extension MCPClient {
  /// The resources of the server, all pages, in its order.
  public func resources(options: MCPRequestOptions = MCPRequestOptions()) async throws -> [MCPResource] {
    guard try await session().server.capabilities.hasResources else { return [] }
    return try await pages(Method.listResources, "resources", options) { $0.uri }.items
  }

  /// The resource templates of the server, all pages, in its order.
  public func resourceTemplates(
    options: MCPRequestOptions = MCPRequestOptions()
  ) async throws -> [MCPResourceTemplate] {
    guard try await session().server.capabilities.hasResources else { return [] }
    return try await pages(Method.listTemplates, "resourceTemplates", options) { $0.uriTemplate }.items
  }

  /// What a resource holds, in one part or several.
  /// - Throws: ``MCPError/Code/refused`` if there is none; see ``MCPError/isNotFound``.
  public func read(
    _ uri: String, options: MCPRequestOptions = MCPRequestOptions()
  ) async throws -> [MCPResourceContents] {
    try await withSession { session in
      try await cachedRequest(Method.readResource, ["uri": .string(uri)], options, on: session)
    }[views: "contents"]
  }

  /// The prompts of the server, all pages, in its order.
  public func prompts(options: MCPRequestOptions = MCPRequestOptions()) async throws -> [MCPPrompt] {
    guard try await session().server.capabilities.hasPrompts else { return [] }
    return try await pages(Method.listPrompts, "prompts", options) { $0.name }.items
  }

  /// A prompt, filled in.
  public func prompt(
    _ name: String, _ arguments: [String: String] = [:], options: MCPRequestOptions = MCPRequestOptions()
  ) async throws -> MCPPrompt.Result {
    var params: JSONObject = ["name": .string(name)]
    if !arguments.isEmpty {
      params["arguments"] = .object(
        JSONObject(arguments.sorted { $0.key < $1.key }.map { (key: $0.key, value: .string($0.value)) }))
    }
    return try await withSession { session in
      MCPPrompt.Result(fields: try await answered(Method.getPrompt, params, options, on: session).object)
    }
  }

  /// What an argument may be completed to.
  /// - Parameter context: arguments that are known already; not sent to servers before 2025-06-18.
  public func complete(
    _ reference: MCPCompletion.Reference, argument name: String, value: String, context: [String: String] = [:],
    options: MCPRequestOptions = MCPRequestOptions()
  ) async throws -> MCPCompletion {
    let result = try await withSession { session in
      if session.facts.hasCompletionCapability {
        try require(session.server.capabilities.hasCompletions, "completion")
      }
      var params: JSONObject = [
        "ref": reference.json, "argument": ["name": .string(name), "value": .string(value)],
      ]
      if !context.isEmpty, session.facts.completesInContext {
        let known = context.sorted { $0.key < $1.key }.map { (key: $0.key, value: JSONValue.string($0.value)) }
        params["context"] = ["arguments": .object(JSONObject(known))]
      }
      return try await session.request(Method.complete, params, options)
    }
    return result[view: "completion"] ?? MCPCompletion([])
  }
}

extension MCPError {
  /// Whether a server says that there is no such resource.
  public var isNotFound: Bool {
    guard let reply else { return false }
    return reply.code == .legacyResourceNotFound || (reply.code == .invalidParams && reply.data?["uri"] != nil)
  }
}
