import MartletJSON
import MartletMCP

/// Tools that go on as tasks, and one that never does.
extension FixtureServer {
  func addTaskTools() {
    add("greet", "Greets at once.", schema: Self.texts("name")) { arguments, _ in
      "Hello, \(arguments["name"]?.stringValue ?? "")!"
    }
    add(
      "slow_compute", "Takes as many seconds as it is told.",
      schema: [
        "type": "object",
        "properties": ["seconds": ["type": "number", "minimum": 0], "label": ["type": "string"]],
      ], mode: .allowed
    ) { arguments, _ in
      try await Task.sleep(for: .seconds(arguments["seconds"]?.doubleValue ?? 0))
      return "Computed \(arguments["label"]?.stringValue ?? "it")."
    }
    add("failing_job", "Fails, as a task only.", mode: .required) { _, _ in .failure("The job failed.") }
    add("protocol_error_job", "Breaks down.", mode: .allowed) { _, _ in
      throw MCPErrorObject(.internalError, "The job broke down.")
    }
    add("confirm_delete", "Asks before it goes on.", schema: Self.texts("filename"), mode: .allowed) {
      arguments, context in
      let answer = try await context.elicit(
        MCPElicitationRequest(
          message: "Delete \(arguments["filename"]?.stringValue ?? "it")?",
          schema: ["type": "object", "properties": ["confirm": ["type": "boolean"]], "required": ["confirm"]]),
        as: "confirm")
      return answer.content["confirm"] == true ? "Would have been deleted." : "Kept."
    }
    add("multi_input", "Asks two things at once.", mode: .allowed) { _, context in
      let answers = try await context.ask([
        "first": .elicit(Self.nameQuestion), "second": .elicit(Self.nameQuestion),
      ])
      return "Got \(answers.count) answers."
    }
    add("test_tool_with_task", "Asks for a name, then goes on as a task.") { _, context in
      let answer = try await context.elicit(Self.nameQuestion, as: "user_name")
      let name = answer.content["name"]?.stringValue ?? "nobody"
      return try await context.detach { _ in "The task greets \(name)." }
    }
  }
}
