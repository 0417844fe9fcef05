import MartletJSON

/// What sources of context gave, as a recording keeps it.
enum RecordedContext {
  static func json(_ warnings: [Warning]) -> JSONValue {
    .array(warnings.map { ["code": .string($0.code), "message": .string($0.message)] })
  }

  static func json(_ notes: [ContextNote]) -> JSONValue {
    .array(notes.map { ["name": .string($0.name), "text": .string($0.text)] })
  }

  static func reading(_ fields: JSONFields) throws -> ContextReading {
    ContextReading(text: try fields.stringIfPresent("text"), warnings: try warnings(fields))
  }

  static func news(_ fields: JSONFields) throws -> ContextNews {
    let notes = try fields.array("notes").map { value in
      let note = try JSONFields(value)
      return ContextNote(name: try note.string("name"), text: try note.string("text"))
    }
    return ContextNews(notes: notes, warnings: try warnings(fields))
  }

  private static func warnings(_ fields: JSONFields) throws -> [Warning] {
    try fields.array("warnings").map { value in
      let warning = try JSONFields(value)
      return Warning(code: try warning.string("code"), message: try warning.string("message"))
    }
  }
}
