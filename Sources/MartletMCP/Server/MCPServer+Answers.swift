import Martlet
import MartletCrypto
import MartletJSON
import MartletSync

extension MCPServer {
  /// Answers a request.
  func answer(_ call: ServerCall) async throws -> JSONObject {
    let result = try await unmarked(call)
    guard call.facts.marksResults else { return result }
    var marked = result
    if marked["resultType"] == nil { marked["resultType"] = "complete" }
    var meta = marked[object: "_meta"] ?? [:]
    meta[MetaKey.serverInfo] = info.json
    marked["_meta"] = .object(meta)
    return marked
  }

  private func unmarked(_ call: ServerCall) async throws -> JSONObject {
    let (facts, params) = (call.facts, call.params)
    switch (call.method, facts.era) {
    case (Method.discover, .modern): return cacheable(discovery(), facts)
    case (Method.ping, .legacy): return [:]
    case (Method.listTools, _):
      let tools = try await toolEntries().map { listed($0, facts) }
      return cacheable(try page(tools, "tools", params), facts)
    case (Method.callTool, _): return try await callTool(call)
    case (Method.listResources, _):
      let resources = registry.withLock { $0.resources.map(\.resource) }
      return cacheable(try page(resources, "resources", params), facts)
    case (Method.listTemplates, _):
      let templates = registry.withLock { $0.templates.map(\.template) }
      return cacheable(try page(templates, "resourceTemplates", params), facts)
    case (Method.readResource, _): return try await readResource(call)
    case (Method.listPrompts, _):
      let prompts = registry.withLock { $0.prompts.map(\.prompt) }
      return cacheable(try page(prompts, "prompts", params), facts)
    case (Method.getPrompt, _): return try await getPrompt(call)
    case (Method.complete, _): return try await complete(call)
    case (Method.listen, .modern): return try await listen(call)
    case (Method.setLogLevel, .legacy):
      guard let level = params[string: "level"].flatMap(MCPLogLevel.init(rawValue:)) else {
        throw MCPErrorObject(.invalidParams, "`level` must be one of \(Self.levels)")
      }
      call.session?.logLevel = level
      return [:]
    case (Method.subscribe, .legacy):
      call.session?.watch(try Self.string("uri", in: params))
      return [:]
    case (Method.unsubscribe, .legacy):
      call.session?.unwatch(try Self.string("uri", in: params))
      return [:]
    case (Method.getTask, _) where facts.tasks != .absent, (Method.cancelTask, _) where facts.tasks != .absent,
      (Method.updateTask, .modern),
      (Method.taskResult, .legacy) where facts.tasks == .core,
      (Method.listTasks, .legacy) where facts.tasks == .core:
      return try await answerAboutTask(call)
    default: throw MCPErrorObject(.methodNotFound, "there is no method \"\(call.method.prefix(64))\" here")
    }
  }

  private static let levels = MCPLogLevel.allCases.map(\.rawValue).joined(separator: ", ")

  static func string(_ key: String, in params: JSONObject) throws -> String {
    guard let text = params[string: key] else { throw MCPErrorObject(.invalidParams, "`\(key)` must be a string") }
    return text
  }

  // MARK: Lists

  /// What a client of the modern era is told first.
  private func discovery() -> JSONObject {
    let versions = configuration.revisions.filter { !$0.facts.hasHandshake }.sorted(by: >)
    return JSONObject(present: [
      "supportedVersions": .array(versions.map { .string($0.rawValue) }),
      "capabilities": capabilities(MCPRevision.latest.facts).json, "instructions": .text(configuration.instructions),
    ])
  }

  /// Adds how long an answer may be used again, where the revision has that.
  private func cacheable(_ result: JSONObject, _ facts: RevisionFacts) -> JSONObject {
    guard facts.marksResults else { return result }
    var result = result
    result["ttlMs"] = JSONValue(configuration.timeToLive.wholeMilliseconds)
    result["cacheScope"] = configuration.isPublic ? "public" : "private"
    return result
  }

  /// One page of a list. The cursor is the place of its first item.
  private func page(_ items: [some MCPObject], _ key: String, _ params: JSONObject) throws -> JSONObject {
    var start = 0
    if let cursor = params["cursor"], !cursor.isNull {
      guard let place = cursor.stringValue.flatMap({ Int($0, radix: 36) }), (1..<max(items.count, 1)).contains(place)
      else { throw MCPErrorObject(.invalidParams, "there is no page with this cursor") }
      start = place
    }
    let end = min(start + max(1, configuration.pageSize), items.count)
    var result: JSONObject = [key: .objects(Array(items[start..<end]))]
    if end < items.count { result["nextCursor"] = .string(String(end, radix: 36)) }
    return result
  }

  private func listed(_ entry: ToolEntry, _ facts: RevisionFacts) -> MCPTool {
    var tool = entry.tool
    if facts.tasks == .core, entry.mode != .never {
      tool.fields["execution"] = ["taskSupport": entry.mode == .required ? "required" : "optional"]
    }
    return tool
  }

  // MARK: Rounds

  /// Runs a handler that may ask, with the answers that the client has brought.
  private func inRounds(
    _ call: ServerCall, canDetach: Bool = false, _ body: (MCPCallContext) async throws -> JSONObject
  ) async throws -> JSONObject {
    guard !call.facts.serverAsks else {
      return try await body(MCPCallContext(call: call, rounds: RequestRounds()))
    }
    // Only few requests take several rounds.
    func digest() -> Digest { RequestState.digest(call.method, call.params, call.caller.principal) }
    var answers = JSONObject()
    var state: JSONValue?
    if let sealed = call.params["requestState"], !sealed.isNull {
      let now = Int(Timestamp.now.milliseconds / 1_000)
      guard let text = sealed.stringValue, let content = requestState.opened(text, for: digest(), now: now) else {
        throw MCPErrorObject(
          .invalidParams, "`requestState` is not one of this server, not of this request, or too old")
      }
      answers = content[object: "answers"] ?? [:]
      state = content["state"]
    }
    answers.merge(call.params[object: "inputResponses"] ?? [:])
    let rounds = RequestRounds(answers: answers, state: state, canDetach: canDetach)
    do {
      return try await body(MCPCallContext(call: call, rounds: rounds))
    } catch let needed as RequestRounds.InputNeeded {
      var result: JSONObject = ["resultType": "input_required", "inputRequests": .object(needed.requests)]
      if !needed.answered.isEmpty || needed.state != nil {
        let content = JSONObject(present: ["answers": .object(needed.answered), "state": needed.state])
        let now = Int(Timestamp.now.milliseconds / 1_000)
        result["requestState"] = .string(requestState.sealed(content, for: digest(), now: now))
      }
      return result
    }
  }

  // MARK: Tools

  private func callTool(_ call: ServerCall) async throws -> JSONObject {
    let name = try Self.string("name", in: call.params)
    guard let entry = try await toolEntries().first(where: { $0.tool.name == name }) else {
      throw MCPErrorObject(.invalidParams, "there is no tool \"\(name.prefix(128))\"")
    }
    let arguments: JSONObject
    switch call.params["arguments"] {
    case nil, .null: arguments = [:]
    case .object(let object): arguments = object
    default: throw MCPErrorObject(.invalidParams, "`arguments` must be an object")
    }
    if let violation = entry.input?.validate(.object(arguments), limit: 1).first {
      let message = "the arguments do not fit: \(violation.message)"
      guard call.facts.badArgumentsAreResults else { throw MCPErrorObject(.invalidParams, message) }
      return MCPCallResult.failure(message).fields
    }
    let wantsTask = call.facts.tasks == .core && call.params["task"] != nil
    let takesTask = call.facts.tasks == .extension && call.client.hasTasks
    switch entry.mode {
    case .never where wantsTask:
      throw MCPErrorObject(.methodNotFound, "the tool \"\(name)\" does not run as a task")
    case .required where call.facts.tasks == .core && !wantsTask:
      throw MCPErrorObject(.methodNotFound, "the tool \"\(name)\" runs only as a task")
    case .required where call.facts.tasks == .extension && !takesTask:
      throw call.missing(["extensions": .object([MCPExtension.tasks: [:]])])
    case .allowed where wantsTask || takesTask, .required where wantsTask || takesTask:
      return try begin(entry, arguments, call) { try await entry.handler(arguments, $0) }
    default: break
    }
    return try await inRounds(call, canDetach: takesTask) { context in
      do {
        return try finished(try await run(entry, arguments, context), entry, call)
      } catch let detached as MCPCallContext.Detached {
        return try begin(entry, arguments, call, detached.body)
      }
    }
  }

  /// Runs a handler; its own errors become results.
  private func run(
    _ entry: ToolEntry, _ arguments: JSONObject, _ context: MCPCallContext,
    _ body: (@Sendable (MCPCallContext) async throws -> MCPCallResult)? = nil
  ) async throws -> MCPCallResult {
    do {
      if let body { return try await body(context) }
      return try await entry.handler(arguments, context)
    } catch let error as MCPErrorObject {
      throw error
    } catch let error as MCPError where error.code == .toolNotSupported {
      throw MCPErrorObject(answering: error)
    } catch let error as RequestRounds.InputNeeded {
      throw error
    } catch let error as MCPCallContext.Detached {
      throw error
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      configuration.onFault("the tool \"\(entry.tool.name)\" failed", error)
      return .failure(String(describing: error))
    }
  }

  /// A result as the revision and the tool's promise want it.
  private func finished(_ result: MCPCallResult, _ entry: ToolEntry, _ call: ServerCall) throws -> JSONObject {
    var result = result
    if !result.isError, let schema = entry.output {
      guard let content = result.structuredContent, schema.isValid(content) else {
        let name = entry.tool.name
        configuration.onFault("the tool \"\(name)\" gave structured content that does not fit its outputSchema", nil)
        throw MCPErrorObject(.internalError, "the tool \"\(name)\" gave something else than it promised")
      }
    }
    if let content = result.structuredContent {
      if result.content.isEmpty { result.content = [.text(content.text())] }
      switch call.facts.structuredContent {
      case .absent: result.structuredContent = nil
      case .object: if content.objectValue == nil { result.structuredContent = nil }
      case .anyValue: break
      }
    }
    let known = call.facts.contentKinds
    if result.content.contains(where: { !known.contains($0.kind) }) {
      result.content = result.content.map { block in
        // What an older client does not know it could not decode either.
        known.contains(block.kind) ? block : .text(block.json.text())
      }
    }
    return result.fields
  }

  // MARK: Tasks

  private func begin(
    _ entry: ToolEntry, _ arguments: JSONObject, _ call: ServerCall,
    _ body: @escaping @Sendable (MCPCallContext) async throws -> MCPCallResult
  ) throws -> JSONObject {
    let asked = call.facts.tasks == .core ? call.params[object: "task"]?[milliseconds: "ttl"] : nil
    let (changes, facts) = (changes, call.facts)
    let task = try tasks.begin(
      call.caller, lifetime: min(max(asked ?? configuration.taskLifetime, .zero), configuration.taskLifetime),
      pollInterval: configuration.pollInterval
    ) { task in
      if facts.tasks == .extension { changes.tell(.task(id: task.id)) }
    }
    task.run { [self] in
      let context = MCPCallContext(call: call, rounds: RequestRounds(task: task))
      let result = try await run(entry, arguments, context, body)
      return MCPCallResult(fields: try finished(result, entry, call))
    }
    var fields = task.fields(facts, isDetailed: false)
    guard facts.tasks == .extension else { return ["task": .object(fields)] }
    fields["resultType"] = "task"
    return fields
  }

  /// Nobody gets this result: the client had given up the call. A task that it would have learned of from it is ended.
  func discard(_ result: JSONObject, caller: MCPCaller) {
    guard let id = MCPTask.id(createdBy: result), let task = try? tasks.task(id, of: caller) else { return }
    task.cancel()
  }

  func discard(_ answer: MCPMessage, caller: MCPCaller) {
    if case .result(_, let result) = answer { discard(result, caller: caller) }
  }

  private func answerAboutTask(_ call: ServerCall) async throws -> JSONObject {
    let isExtension = call.facts.tasks == .extension
    if isExtension, !call.client.hasTasks {
      throw call.missing(["extensions": .object([MCPExtension.tasks: [:]])])
    }
    if call.method == Method.listTasks {
      return ["tasks": .array(tasks.all(of: call.caller).map { .object($0.fields(call.facts)) })]
    }
    let task = try tasks.task(call.params[string: "taskId"], of: call.caller)
    switch call.method {
    case Method.updateTask:
      task.update(call.params[object: "inputResponses"] ?? [:])
      return [:]
    case Method.cancelTask:
      if !isExtension, task.status.isFinal {
        throw MCPErrorObject(.invalidParams, "the task is over: \(task.status)")
      }
      task.cancel()
      return isExtension ? [:] : task.fields(call.facts)
    case Method.taskResult:
      try await task.end.value()
      let related: JSONObject = [MetaKey.relatedTask: ["taskId": .string(task.id)]]
      switch task.outcome {
      case .success(var result):
        var meta = result.meta ?? [:]
        meta.merge(related)
        result.meta = meta
        return result.fields
      case .failure(let error): throw error
      case nil: throw MCPErrorObject(.invalidParams, "the task was cancelled")
      }
    default: return task.fields(call.facts)
    }
  }

  // MARK: Resources, prompts, completion

  private func readResource(_ call: ServerCall) async throws -> JSONObject {
    let uri = try Self.string("uri", in: call.params)
    let (exact, templates) = registry.withLock { registry in
      (registry.resources.first { $0.resource.uri == uri }?.handler, registry.templates)
    }
    var variables: [String: String] = [:]
    var handler = exact
    if handler == nil {
      for (_, pattern, candidate) in templates {
        guard let found = pattern.match(uri) else { continue }
        (variables, handler) = (found, candidate)
        break
      }
    }
    let missing = MCPErrorObject(call.facts.resourceNotFound, "there is no such resource", data: ["uri": .string(uri)])
    guard let handler else { throw missing }
    return try await inRounds(call) { context in
      let contents = try await handler(uri, variables, context)
      // No contents would look like an empty resource.
      if contents.isEmpty { throw missing }
      return cacheable(["contents": .objects(contents)], call.facts)
    }
  }

  private func getPrompt(_ call: ServerCall) async throws -> JSONObject {
    let name = try Self.string("name", in: call.params)
    guard let (prompt, handler) = registry.withLock({ $0.prompts.first { $0.prompt.name == name } }) else {
      throw MCPErrorObject(.invalidParams, "there is no prompt \"\(name.prefix(128))\"")
    }
    var arguments: [String: String] = [:]
    for (key, value) in call.params[object: "arguments"] ?? [:] {
      guard let text = value.stringValue else {
        throw MCPErrorObject(.invalidParams, "the argument `\(key)` must be a string")
      }
      arguments[key] = text
    }
    for argument in prompt.arguments where argument.isRequired && arguments[argument.name] == nil {
      throw MCPErrorObject(.invalidParams, "the argument `\(argument.name)` is missing")
    }
    return try await inRounds(call) { context in try await handler(arguments, context).fields }
  }

  private func complete(_ call: ServerCall) async throws -> JSONObject {
    guard let handler = registry.withLock({ $0.completion }) else {
      throw MCPErrorObject(.methodNotFound, "this server completes nothing")
    }
    guard let reference = MCPCompletion.Reference(json: call.params["ref"]),
      let argument = call.params[object: "argument"], let name = argument[string: "name"],
      let value = argument[string: "value"]
    else { throw MCPErrorObject(.invalidParams, "`ref` and `argument` must say what is to be completed") }
    var known: [String: String] = [:]
    for (key, value) in call.params["context"]?["arguments"]?.objectValue ?? [:] { known[key] = value.stringValue }
    return ["completion": try await handler(reference, name, value, known).json]
  }

  // MARK: Listening

  /// Tells what changes until the client has enough, or the connection or the server comes to its end.
  private func listen(_ call: ServerCall) async throws -> JSONObject {
    guard let wanted = call.params[object: "notifications"] else {
      throw MCPErrorObject(.invalidParams, "`notifications` must say what is wanted")
    }
    var filter = MCPListenFilter(fields: wanted)
    let capabilities = capabilities(call.facts)
    filter.tools = filter.tools && capabilities.tellsToolChanges
    filter.prompts = filter.prompts && capabilities.tellsPromptChanges
    filter.resourceList = filter.resourceList && capabilities.tellsResourceChanges
    if !capabilities.hasSubscriptions { filter.resources = [] }
    filter.tasks = call.client.hasTasks ? filter.tasks.filter { (try? tasks.task($0, of: call.caller)) != nil } : []
    let honoured = filter
    let mark: JSONValue = .object([MetaKey.subscription: call.id.json])
    let queue = ChangeQueue()
    // From here on nothing is missed, and nothing is told before the acknowledgement.
    let id = changes.add { if $0.isWanted(by: honoured) { queue.put($0) } }
    defer { changes.remove(id) }
    let groups = [listeners, call.channel.listeners].map { ($0, $0.enter(call.id, queue)) }
    defer { for (group, key) in groups { group.leave(key) } }
    try await call.channel.notify(
      Method.acknowledged, ["notifications": .object(honoured.fields), "_meta": mark])
    while let change = try await queue.next() {
      var params = change.params
      if case .task(let id) = change {
        guard let task = try? tasks.task(id, of: call.caller) else { continue }
        params = task.fields(call.facts)
      }
      params["_meta"] = mark
      try await call.channel.notify(change.method, params)
    }
    return ["_meta": mark]
  }
}
