import Martlet
import MartletHTTP
import MartletJSON

/// Asks the user at the terminal about calls that the policy does not decide on.
struct TerminalApprover: Approver {
  /// Nil when there is nobody to ask: the run is parked.
  let terminal: Terminal?
  /// What edited arguments are checked by.
  let tools: ToolRegistry
  /// One question at a time: what is typed answers the one that is on the screen.
  private let turns = RequestLimiter(concurrent: 1)

  init(terminal: Terminal?, tools: ToolRegistry) {
    self.terminal = terminal
    self.tools = tools
  }

  func decide(_ request: ApprovalRequested) async throws -> ApprovalDecision {
    guard let terminal else { throw ApprovalDeferred() }
    return try await turns.withPermit { try await decide(request, terminal) }
  }

  private func decide(_ request: ApprovalRequested, _ terminal: Terminal) async throws -> ApprovalDecision {
    if request.isAboutLostCall { return try await decideAboutLostCall(request, terminal) }
    var call = request.call
    var edited: JSONObject?
    while true {
      // A longer answer is about calls like the one that was asked about, not like the one it was edited to.
      let keys = edited == nil ? request.options.compactMap(Self.longerAnswer) : []
      let answer = try await terminal.choose(Self.question(call, request, keys), ["y", "n", "e"] + keys.map(\.key))
      switch answer {
      case "y": return ApprovalDecision(.allow, arguments: edited, by: "user")
      case "n": return ApprovalDecision(.deny, reason: "the user said no", by: "user")
      case "e":
        guard let arguments = try await edit(call, terminal) else { continue }
        call.arguments = .object(arguments)
        edited = arguments
      case nil: throw ApprovalDeferred()
      case let key:
        guard let longer = keys.first(where: { $0.key == key }) else { throw ApprovalDeferred() }
        return ApprovalDecision(.allow, scope: longer.scope, by: "user")
      }
    }
  }

  private typealias LongerAnswer = (key: Character, scope: ApprovalScope, words: String)

  private static func longerAnswer(_ option: ApprovalOption) -> LongerAnswer? {
    switch option.key {
    case "a": ("a", .session, "[a]lways in this session")
    case "p": ("p", .project, "always in this [p]roject")
    case "u": ("u", .user, "always and everywhere, for this [u]ser")
    default: nil
    }
  }

  /// New arguments that fit; nil when they stay as they are.
  private func edit(_ call: ToolCall, _ terminal: Terminal) async throws -> JSONObject? {
    while true {
      try terminal.output.write("The arguments as JSON, on one line (nothing leaves them as they are): ")
      guard let line = try await terminal.input.nextLine(), !line.trimmingSpaces().isEmpty else { return nil }
      let edited = ToolCall(id: call.id, name: call.name, argumentsText: line)
      let problem: String
      switch (edited.arguments, await tools.tool(named: call.name)?.prepare(edited)) {
      case (.unparsed(_, let reason), _): problem = reason
      case (_, .refused(let reason)?): problem = reason
      case (_, .ready(let arguments)?): return arguments
      case (.object(let arguments), nil): return arguments
      }
      var filter = ControlFilter()
      try terminal.output.write(filter.filter(problem) + "\n")
    }
  }

  private func decideAboutLostCall(
    _ request: ApprovalRequested, _ terminal: Terminal
  ) async throws -> ApprovalDecision {
    let question =
      Self.description(request.call, "was running when the program ended; it may or may not have taken effect:")
      + "\nRun it again? [y]es, [n]o (its outcome stays unknown): "
    switch try await terminal.choose(question, ["y", "n"]) {
    case "y": return ApprovalDecision(.allow, by: "user")
    case "n": return ApprovalDecision(.deny, by: "user")
    default: throw ApprovalDeferred()
    }
  }

  /// Everything the call would do, in full: what is cut off cannot be judged.
  private static func question(_ call: ToolCall, _ request: ApprovalRequested, _ longer: [LongerAnswer]) -> String {
    var text = description(call, "asks for permission:") + "\n"
    if let rule = request.options.compactMap(\.rule).first, !longer.isEmpty, rule != call.name {
      var filter = ControlFilter()
      text += "Always would mean: \(filter.filter(rule))\n"
    }
    return text + "Allow it? "
      + (["[y]es", "[n]o"] + longer.map(\.words) + ["[e]dit it"]).joined(separator: ", ") + ": "
  }

  private static func description(_ call: ToolCall, _ what: String) -> String {
    var lines = ["\(ControlFilter.line(call.name)) \(what)"]
    switch call.arguments {
    case .object(let arguments):
      for (key, value) in arguments {
        var filter = ControlFilter()
        let text = filter.filter(value.stringValue ?? value.text())
        let shown = text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\n    ")
        lines.append("  \(ControlFilter.line(key)): \(shown)")
      }
    case .unparsed(let text, _): lines.append("  \(ControlFilter.line(text))")
    }
    return lines.joined(separator: "\n")
  }
}
