import Martlet
import MartletJSON
import Testing

@testable import MartletCLI

@Suite struct `answering approvals` {
  struct Keep: Tool {
    let name = "keep"
    let description = "Writes a file. Use it in tests."
    let parameters: JSONValue = [
      "type": "object", "properties": ["name": ["type": "string"], "count": ["type": "integer"]], "required": ["name"],
    ]
    func call(arguments: JSONValue, context: ToolContext) async throws -> ToolOutput { .text("kept") }
  }

  private static let standard = [
    ApprovalOption(key: "y", label: "Allow once"), ApprovalOption(key: "n", label: "Deny"),
    ApprovalOption(key: "a", label: "Allow keep for this session", rule: "keep"),
  ]
  private static let longer =
    standard + [
      ApprovalOption(key: "p", label: "Allow keep in this project", rule: "keep"),
      ApprovalOption(key: "u", label: "Allow keep everywhere", rule: "keep"),
    ]

  private func request(_ arguments: JSONObject, _ options: [ApprovalOption] = standard) -> ApprovalRequested {
    ApprovalRequested(
      approvalId: "a", call: ToolCall(id: "c", name: "keep", arguments: arguments), options: options)
  }

  /// What is answered when this is typed, and what the screen shows.
  private func answer(
    to request: ApprovalRequested, typing text: String
  ) async throws -> (decision: ApprovalDecision, screen: String) {
    let pipe = try PipedInput()
    defer { pipe.finish() }
    let screen = MemorySink()
    try pipe.type(text)
    let approver = TerminalApprover(
      terminal: Terminal(input: pipe.input, output: screen), tools: try ToolRegistry([Keep()]))
    return (try await approver.decide(request), screen.text)
  }

  @Test(arguments: [("y\n", ApprovalVerdict.allow), ("no\n", .deny), ("what?\n\nYES\n", .allow), ("p\ny\n", .allow)])
  func `the user is asked until the answer is one`(_ typed: String, _ verdict: ApprovalVerdict) async throws {
    let (decision, screen) = try await answer(to: request(["name": "rm -r x\u{1B}[2K\nls"]), typing: typed)
    #expect(decision.verdict == verdict)
    #expect(decision.scope == .once)
    #expect(screen.hasPrefix("keep asks for permission:\n  name: rm -r x\n    ls\nAllow it?"), "\(screen)")
  }

  @Test(arguments: [("a", ApprovalScope.session), ("p", .project), ("u", .user)])
  func `always holds for the session, the project or the user`(_ key: String, _ scope: ApprovalScope) async throws {
    let (decision, screen) = try await answer(to: request(["name": "x"], Self.longer), typing: "\(key)\n")
    #expect(decision == ApprovalDecision(.allow, scope: scope, by: "user"))
    #expect(!screen.contains("Always would mean"))
  }

  @Test func `what always would mean is shown where it is not the whole tool`() async throws {
    var options = Self.standard
    options[2].rule = "keep(x\u{1B}[2K y)"
    let (_, screen) = try await answer(to: request(["name": "x"], options), typing: "n\n")
    #expect(screen.contains("Always would mean: keep(x y)\n"), "\(screen)")
  }

  @Test func `the arguments can be edited, and are checked and shown before they are agreed to`() async throws {
    let typed = "e\n{\"name\": 1, \ne\n[]\n{\"count\": 3}\n{\"name\": \"y\", \"count\": \"3\"}\na\ny\n"
    let (decision, screen) = try await answer(to: request(["name": "x"]), typing: typed)
    #expect(decision == ApprovalDecision(.allow, arguments: ["name": "y", "count": 3], by: "user"))
    #expect(screen.contains("the arguments must be a JSON object\n"), "\(screen)")
    #expect(screen.contains("keep asks for permission:\n  name: y\n  count: 3\nAllow it? [y]es, [n]o, [e]dit it: "))
  }

  @Test func `nothing typed leaves the arguments as they are`() async throws {
    let (decision, _) = try await answer(to: request(["name": "x"]), typing: "e\n\ny\n")
    #expect(decision == ApprovalDecision(.allow, by: "user"))
  }

  @Test func `a lost call is asked about in its own words`() async throws {
    let (decision, screen) = try await answer(
      to: request(["name": "x"], ApprovalOption.afterLoss), typing: "a\nn\n")
    #expect(decision.verdict == .deny)
    #expect(screen.contains("Run it again? [y]es, [n]o"))
  }

  @Test func `without a terminal nothing is decided`() async throws {
    let approver = TerminalApprover(terminal: nil, tools: ToolRegistry())
    await #expect(throws: ApprovalDeferred.self) { try await approver.decide(request(["name": "x"])) }
  }

  @Test func `a terminal that goes away leaves the call open`() async throws {
    let pipe = try PipedInput()
    pipe.finish()
    let approver = TerminalApprover(
      terminal: Terminal(input: pipe.input, output: MemorySink()), tools: ToolRegistry())
    await #expect(throws: ApprovalDeferred.self) { try await approver.decide(request(["name": "x"])) }
  }

  @Test func `a cancelled run does not wait for an answer`() async throws {
    let pipe = try PipedInput()
    let approver = TerminalApprover(
      terminal: Terminal(input: pipe.input, output: MemorySink()), tools: ToolRegistry())
    let waiting = Task { try await approver.decide(request(["name": "x"])) }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    pipe.finish()
  }
}
