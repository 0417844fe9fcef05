import MartletJSON

extension PermissionRule {
  /// Whether the rule is about the call, beyond doubt: what an allow rule has to be.
  func surelyCovers(_ call: ToolCall, _ tool: ToolDefinition) -> Bool {
    guard case .object(let arguments) = call.arguments else { return false }
    switch subject {
    case .effect(let effect): return tool.effect == effect
    case .tool(let name, let argument, let pattern):
      guard name.matches(call.name.utf8) else { return false }
      guard let pattern else { return true }
      guard argument != nil || !CommandArgument.hasMore(arguments, tool) else { return false }
      let subjects = Self.subjects(argument, arguments, tool, isSure: true)
      return !subjects.isEmpty && subjects.allSatisfy { $0.surelyFits(pattern) }
    }
  }

  /// Whether the rule may be about the call: what is enough for a deny rule or an ask rule.
  func mayCover(_ call: ToolCall, _ tool: ToolDefinition) -> Bool {
    switch subject {
    case .effect(let effect): return tool.effect == effect
    case .tool(let name, let argument, let pattern):
      // A tool that a catalogue has made of another one does what that one does.
      let names = [call.name] + (tool.implementation.map { [$0] } ?? [])
      guard names.contains(where: { name.matches($0.utf8, ignoringCase: true) }) else { return false }
      guard let pattern else { return true }
      // Arguments that cannot be read may be anything.
      guard case .object(let arguments) = call.arguments else { return true }
      return Self.subjects(argument, arguments, tool, isSure: false).contains { $0.mayFit(pattern) }
    }
  }

  /// The values among a call's arguments that a pattern is about.
  private static func subjects(
    _ path: [String]?, _ arguments: JSONObject, _ tool: ToolDefinition, isSure: Bool
  ) -> [RuleSubject] {
    if let path {
      var found: [RuleSubject] = []
      // A name may have dots in it.
      if let value = arguments[path.joined(separator: ".")] {
        found += RuleSubject.all(in: value, named: path.joined(separator: "."), isWanted: true)
      }
      if path.count > 1 {
        let value = path.dropFirst().reduce(arguments[path[0]]) { value, key in value?[key] }
        if let value { found += RuleSubject.all(in: value, named: path[path.count - 1], isWanted: true) }
      }
      return found
    }
    let lines = CommandArgument.given(arguments, tool)
    if !lines.isEmpty {
      return lines.flatMap { name in
        let value = arguments[name] ?? .null
        let alone = RuleSubject.all(in: value, named: name, isWanted: true)
        guard let whole = CommandArgument.whole(value, arguments) else { return alone }
        return isSure ? [.words(whole)] : alone + [.words(whole)]
      }
    }
    return RuleSubject.all(in: .object(arguments), named: "", isWanted: false)
  }
}
