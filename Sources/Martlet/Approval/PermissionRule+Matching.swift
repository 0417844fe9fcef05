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
      let subjects = Self.subjects(argument, arguments, tool)
      return !subjects.isEmpty && subjects.allSatisfy { $0.surelyFits(pattern) }
    }
  }

  /// Whether the rule may be about the call: what is enough for a deny rule or an ask rule.
  func mayCover(_ call: ToolCall, _ tool: ToolDefinition) -> Bool {
    switch subject {
    case .effect(let effect): return tool.effect == effect
    case .tool(let name, let argument, let pattern):
      guard name.matches(call.name.utf8, ignoringCase: true) else { return false }
      guard let pattern else { return true }
      // Arguments that cannot be read may be anything.
      guard case .object(let arguments) = call.arguments else { return true }
      return Self.subjects(argument, arguments, tool).contains { $0.mayFit(pattern) }
    }
  }

  /// The values among a call's arguments that a pattern is about.
  private static func subjects(
    _ path: [String]?, _ arguments: JSONObject, _ tool: ToolDefinition
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
    let lines = CommandArgument.declared(by: tool).filter { arguments[$0] != nil }
    if !lines.isEmpty {
      return lines.flatMap { RuleSubject.all(in: arguments[$0] ?? .null, named: $0, isWanted: true) }
    }
    return RuleSubject.all(in: .object(arguments), named: "", isWanted: false)
  }
}
