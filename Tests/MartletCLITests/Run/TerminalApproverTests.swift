import Martlet
import MartletJSON
import Testing

@testable import MartletCLI

@Suite struct `answering approvals` {
  private let tools = [
    ToolDefinition(name: "shell", description: "", parameters: [:], requiresPermission: true),
    ToolDefinition(name: "write", description: "", parameters: [:]),
    ToolDefinition(name: "fetch", description: "", parameters: [:], effect: .readOnly, requiresPermission: true),
    ToolDefinition(name: "read", description: "", parameters: [:], effect: .readOnly),
  ]

  private func request(_ name: String, _ arguments: JSONObject = ["command": "ls"]) -> ApprovalRequested {
    ApprovalRequested(approvalId: "a", call: ToolCall(id: "c", name: name, arguments: arguments))
  }

  private func policy(_ mode: ApprovalMode, allow: String = "", deny: String = "") -> CallPolicy {
    CallPolicy(
      mode: mode, allow: allow.split(separator: ",").compactMap { ToolRule(String($0)) },
      deny: deny.split(separator: ",").compactMap { ToolRule(String($0)) })
  }

  @Test(arguments: [
    (ApprovalMode.ask, [false, true, false, true]), (.reads, [false, false, true, true]),
    (.all, [true, true, true, true]),
    (.none, [false, true, false, true]),
  ])
  func `the mode says what runs without asking`(_ mode: ApprovalMode, _ runs: [Bool]) {
    #expect(tools.map { policy(mode).decision(on: $0) == .allow } == runs)
  }

  @Test func `a deny rule is stronger than an allow rule, which is stronger than the mode`() {
    let policy = policy(.none, allow: "shell,write", deny: "wri*")
    #expect(policy.decision(on: tools[0]) == .allow)
    #expect(policy.decision(on: tools[1]) == .deny(reason: "the rule \"deny wri*\" forbids it"))
  }

  @Test(arguments: [("y\n", ApprovalVerdict.allow), ("no\n", .deny), ("what?\n\nYES\n", .allow)])
  func `the user is asked until the answer is one`(_ typed: String, _ verdict: ApprovalVerdict) async throws {
    let pipe = try PipedInput()
    let screen = MemorySink()
    try pipe.type(typed)
    let approver = TerminalApprover(
      policy: policy(.ask), tools: tools, terminal: Terminal(input: pipe.input, output: screen))
    let decision = try await approver.decide(request("shell", ["command": "rm -r x\u{1B}[2K\nls"]))
    #expect(decision.verdict == verdict)
    #expect(decision.scope == "once")
    #expect(screen.text.hasPrefix("shell asks for permission:\n  command: rm -r x\n    ls\nAllow it?"))
    pipe.finish()
  }

  @Test func `always holds for the tool in this session`() async throws {
    let pipe = try PipedInput()
    try pipe.type("a\n")
    let approver = TerminalApprover(
      policy: policy(.ask), tools: tools, terminal: Terminal(input: pipe.input, output: MemorySink()))
    #expect(try await approver.decide(request("shell")).scope == "session")
    #expect(try await approver.decide(request("shell")).verdict == .allow)
    pipe.finish()
    await #expect(throws: ApprovalDeferred.self) { try await approver.decide(request("fetch")) }
  }

  @Test func `without a terminal nothing is decided`() async throws {
    let approver = TerminalApprover(policy: policy(.ask), tools: tools, terminal: nil)
    await #expect(throws: ApprovalDeferred.self) { try await approver.decide(request("shell")) }
  }

  @Test func `a cancelled run does not wait for an answer`() async throws {
    let pipe = try PipedInput()
    let approver = TerminalApprover(
      policy: policy(.ask), tools: tools, terminal: Terminal(input: pipe.input, output: MemorySink()))
    let waiting = Task { try await approver.decide(request("shell")) }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    pipe.finish()
  }
}
