import MartletJSON

/// `remember`: adds a note to the memory.
struct RememberTool: Tool {
  struct Arguments: Decodable, Sendable {
    var note: String
    var scope: Memory.Scope?
  }

  let memory: Memory

  let name = "remember"
  let title = "Remember"
  let effect = ToolEffect.idempotent
  let isInstant = true
  var description: String {
    "Keeps a note for later conversations. Use it when you learn something lasting that would otherwise have to be said "
      + "again: a name, a preference, a decision, a standing instruction. One short sentence a note. Not for what only "
      + "matters now, and never for passwords or keys."
  }
  var parameters: JSONValue { memory.parameters("note", "What to remember, in one sentence", isRequired: true) }

  func call(arguments: Arguments, context: ToolContext) async throws -> ToolOutput {
    try await MemoryOutput.of {
      let isNew = try await memory.store(arguments.scope).remember(arguments.note)
      return .text(isNew ? "Remembered: \(MemoryNotes.cleaned(arguments.note))" : "That was remembered already.")
    }
  }
}

/// `recall`: finds notes of the memory.
struct RecallTool: Tool {
  struct Arguments: Decodable, Sendable {
    var query: String?
    var scope: Memory.Scope?
  }

  let memory: Memory

  let name = "recall"
  let title = "Recall"
  let effect = ToolEffect.readOnly
  let isInstant = true
  var description: String {
    "Finds what was remembered, by words. Use it when the user refers to something from an earlier conversation that you "
      + "do not see above, or to see notes before forgetting one."
  }
  var parameters: JSONValue {
    memory.parameters("query", "Words to look for; the latest notes when left out", isRequired: false)
  }

  func call(arguments: Arguments, context: ToolContext) async throws -> ToolOutput {
    try await MemoryOutput.of {
      var lines: [String] = []
      for scope in arguments.scope.map({ [$0] }) ?? memory.scopes {
        let found = try memory.store(scope).recall(arguments.query ?? "")
        lines += found.prefix(20).map { "- \($0.split(separator: "\n").joined(separator: "\n  "))" }
        if found.count > 20 { lines.append("[\(found.count - 20) more; use more particular words]") }
      }
      return .text(lines.isEmpty ? "No note is about that." : lines.joined(separator: "\n"))
    }
  }
}

/// `forget`: takes a note out of the memory.
struct ForgetTool: Tool {
  struct Arguments: Decodable, Sendable {
    var note: String
    var scope: Memory.Scope?
  }

  let memory: Memory

  let name = "forget"
  let title = "Forget"
  // Run again after a crash it finds nothing more to forget, unless another note has come to say the same.
  let effect = ToolEffect.idempotent
  let isInstant = true
  var description: String {
    "Takes a note out of the memory. Use it when the user asks for it, or when a note has turned out to be wrong or out of "
      + "date; remember the right one afterwards."
  }
  var parameters: JSONValue {
    memory.parameters("note", "The note, or a part of it that no other note has", isRequired: true)
  }

  func call(arguments: Arguments, context: ToolContext) async throws -> ToolOutput {
    try await MemoryOutput.of {
      .text("Forgotten: \(try await memory.store(arguments.scope).forget(arguments.note))")
    }
  }
}

/// Failures of the memory as results that the model can act on.
private enum MemoryOutput {
  static func of(_ work: () async throws -> ToolOutput) async throws -> ToolOutput {
    do {
      return try await work()
    } catch let error as MemoryError {
      return .failure("Not done: \(error.message).", code: error.code.rawValue)
    }
  }
}

extension Memory {
  /// One text, and the scope where there is a choice.
  fileprivate func parameters(_ name: String, _ description: String, isRequired: Bool) -> JSONValue {
    var properties: JSONObject = [name: ["type": "string", "description": .string(description)]]
    if project != nil {
      properties["scope"] = [
        "type": "string", "enum": .array(scopes.map { .string($0.rawValue) }),
        "description": "Whom it is about: the user (the default), known everywhere, or this project",
      ]
    }
    var schema: JSONObject = ["type": "object", "properties": .object(properties)]
    if isRequired { schema["required"] = [.string(name)] }
    schema["additionalProperties"] = false
    return .object(schema)
  }
}
