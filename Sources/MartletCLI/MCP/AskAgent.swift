import Martlet
import MartletJSON
import MartletMCP

/// The tool by which MCP clients have an agent do something: each call is a run of its own, in a session that a later call
/// can go on with.
struct AskAgent: Sendable {
  static let name = "ask_agent"

  let setup: AgentSetup

  private var tool: MCPTool {
    MCPTool(
      name: Self.name, title: "Ask an agent",
      description:
        "Has an agent with tools of its own carry out a task, and gives its answer. Say all that it must know; it "
        + "sees nothing of your conversation. Give the session of an earlier answer to go on with that.",
      inputSchema: [
        "type": "object",
        "properties": [
          "prompt": ["type": "string", "minLength": 1, "description": "What to do"],
          "session": ["type": "string", "description": "The session of an earlier answer"],
        ],
        "required": ["prompt"],
      ],
      outputSchema: [
        "type": "object",
        "properties": [
          "answer": ["type": "string"], "session": ["type": "string"], "iterations": ["type": "integer"],
        ],
        "required": ["answer", "session", "iterations"],
      ])
  }

  func register(with server: MCPServer) {
    server.register(tool) { arguments, context in
      try await withProgress(to: context) { report in
        do {
          return try await ask(arguments["prompt"]?.stringValue ?? "", arguments["session"]?.stringValue, report)
        } catch let failure as CommandFailure {
          return .failure(failure.message)
        } catch let error as AgentError {
          return .failure(error.message)
        }
      }
    }
  }

  private func ask(
    _ prompt: String, _ session: String?, _ report: @Sendable (ToolContext.Progress) -> Void
  ) async throws -> MCPCallResult {
    var id: String?
    if let session { id = try await StoredSessions(store: setup.store).id(session) }
    let agent = try await setup.makeAgent(session: id)
    var result = RunReport()
    do {
      var steps = 0.0
      for try await record in agent.stream(.user(prompt)) {
        result.take(record)
        if case .toolStarted(let started) = record.event {
          steps += 1
          report(ToolContext.Progress(progress: steps, message: "calls \(started.call.name)"))
        }
      }
    } catch {
      await agent.close()
      throw error
    }
    await agent.close()
    switch result.end {
    case .finished(let finished) where finished.reason == .answered:
      let answer = result.answer ?? ""
      return .structured(
        ["answer": .string(answer), "session": .string(agent.id), "iterations": JSONValue(result.iterations)],
        text: "\(answer)\n\n(session \(agent.id))")
    case .finished(let finished):
      return .failure("The agent gave no answer: \(finished.reason). Its session is \(agent.id).")
    case .failed(let failed): return .failure("The agent failed: \(failed.message) Its session is \(agent.id).")
    case .waiting, nil:
      return .failure("The agent waits for something that nobody here gives. Its session is \(agent.id).")
    }
  }
}

/// Says no where nobody can be asked, so that the agent can look for another way.
struct AbsentApprover: Approver {
  func decide(_ request: ApprovalRequested) async throws -> ApprovalDecision {
    ApprovalDecision(.deny, reason: "it needs permission, and nobody is here to give it", by: "policy")
  }
}
