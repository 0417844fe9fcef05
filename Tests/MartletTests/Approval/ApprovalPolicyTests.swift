import MartletJSON
import MartletTesting
import Testing

@testable import Martlet

@Suite struct `An approval policy` {
  private typealias Rules = `A permission rule`

  private static let tools = [
    Rules.tool("shell", ["command"], requiresPermission: true), Rules.tool("write", ["path"]),
    Rules.tool("fetch", ["url"], effect: .readOnly, requiresPermission: true),
    Rules.tool("read", ["path"], effect: .readOnly),
  ]

  @Test(arguments: [
    (ApprovalMode.ask, ["ask", "allow", "ask", "allow"]), (.reads, ["ask", "ask", "allow", "allow"]),
    (.all, ["allow", "allow", "allow", "allow"]), (.none, ["deny", "allow", "deny", "allow"]),
  ])
  func `lets the mode decide where no rule does`(_ mode: ApprovalMode, _ words: [String]) {
    let policy = ApprovalPolicy(mode: mode)
    #expect(Self.tools.map { Self.word(policy.outcome(of: ToolCall(name: $0.name), $0)) } == words)
  }

  private static func word(_ outcome: ApprovalPolicy.Outcome) -> String {
    switch outcome {
    case .allow: "allow"
    case .ask: "ask"
    case .deny: "deny"
    }
  }

  @Test func `puts deny before ask before allow before the mode`() throws {
    var policy = ApprovalPolicy(
      mode: .none,
      rules: PermissionRules(
        allow: try PermissionRule.list("*"), ask: try PermissionRule.list("write,shell(git push*)")))
    func outcome(_ command: String) -> ApprovalPolicy.Outcome {
      policy.outcome(of: ToolCall(name: "shell", arguments: ["command": .string(command)]), Self.tools[0])
    }
    #expect(outcome("ls; rm x") == .allow)
    #expect(outcome("ls; git push") == .ask)
    policy.rules.deny = try PermissionRule.list("shell(git push *--force*)")
    #expect(outcome("git push --force") == .deny(reason: "the rule \"deny shell(git push *--force*)\" forbids it"))
    #expect(policy.outcome(of: ToolCall(name: "write"), Self.tools[1]) == .ask)
    #expect(policy.outcome(of: ToolCall(name: "fetch"), Self.tools[2]) == .allow)
  }

  /// Every command that a deny rule may cover is denied, in whatever order and from whatever layer rules come, and
  /// whatever else is allowed.
  @Test func `lets deny win in any order and from any layer`() throws {
    let seed = UInt64.random(in: 0..<UInt64.max)
    var random = SeededGenerator(seed: seed)
    let texts = [
      "*", "shell", "write", "read*", "shell(*)", "shell(git *)", "shell(rm *)", "shell(ls)", "effect:once",
      "effect:readOnly", "read(src/*)", "write.path(*)", "shell.command(git push*)",
    ]
    let commands = ["ls", "git push", "rm x", "ls; rm x", "git status && git push", "$X"]
    let paths = ["src/a", "src/../b", "/etc/x"]
    for _ in 0..<2_000 {
      var layers: [PermissionRules] = []
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        func some() throws -> [PermissionRule] {
          try (0..<Int.random(in: 0...3, using: &random)).map { _ in try PermissionRule(random.pick(texts)) }
        }
        layers.append(PermissionRules(allow: try some(), ask: try some(), deny: try some()))
      }
      let tool = random.pick(Self.tools)
      let call = ToolCall(
        name: tool.name,
        arguments: tool.name == "shell"
          ? ["command": .string(random.pick(commands))] : ["path": .string(random.pick(paths))])
      func outcome(_ layers: [PermissionRules], _ mode: ApprovalMode) -> ApprovalPolicy.Outcome {
        var policy = ApprovalPolicy(mode: mode)
        for layer in layers { policy.rules.add(layer) }
        return policy.outcome(of: call, tool)
      }
      let mode = random.pick(ApprovalMode.allCases)
      let word = Self.word(outcome(layers, mode))
      let isDenied = layers.contains { $0.deny.contains { $0.mayCover(call, tool) } }
      let isAsked = layers.contains { $0.ask.contains { $0.mayCover(call, tool) } }
      if isDenied { #expect(word == "deny", "seed \(seed)") }
      if !isDenied, isAsked { #expect(word == "ask", "seed \(seed)") }
      #expect(Self.word(outcome(layers.shuffled(using: &random), mode)) == word, "seed \(seed)")
      // More allow rules never overrule a deny or ask rule.
      let more = layers + [PermissionRules(allow: try PermissionRule.list("*,effect:once,effect:readOnly"))]
      if isDenied || isAsked { #expect(Self.word(outcome(more, .all)) == word, "seed \(seed)") }
    }
  }

  @Test(arguments: [
    (ApprovalMode.ask, "", "", "none"), (.ask, "shell", "", "allow"), (.ask, "write", "", "none"),
    (.ask, "shell", "sh*", "deny"), (.all, "", "", "allow"), (.all, "", "shell", "deny"), (.reads, "", "", "none"),
    (.none, "", "", "deny"), (.none, "shell", "", "allow"),
  ])
  func `answers a parked call by rules, and by modes that say yes or no`(
    _ mode: ApprovalMode, _ allow: String, _ deny: String, _ answer: String
  ) throws {
    let policy = ApprovalPolicy(
      mode: mode,
      rules: PermissionRules(
        allow: allow.isEmpty ? [] : try PermissionRule.list(allow),
        deny: deny.isEmpty ? [] : try PermissionRule.list(deny)))
    let request = ApprovalRequested(approvalId: "a", call: ToolCall(name: "shell", arguments: ["command": "ls"]))
    #expect(policy.answer(to: request, Self.tools[0])?.verdict.rawValue ?? "none" == answer)
    // To have it run a second time takes a person.
    let lost = ApprovalRequested(approvalId: "a", call: request.call, options: ApprovalOption.afterLoss)
    #expect(policy.answer(to: lost, Self.tools[0])?.verdict != .allow)
  }

  @Test func `answers no parked call by not asking about it today`() {
    // The call was asked about under `reads`; that `ask` would not have asked is no word of a person's.
    let request = ApprovalRequested(approvalId: "a", call: ToolCall(name: "write", arguments: ["path": "x"]))
    #expect(ApprovalPolicy(mode: .ask).answer(to: request, Self.tools[1]) == nil)
  }
}
