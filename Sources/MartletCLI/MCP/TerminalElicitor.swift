import MartletJSON
import MartletMCP

/// Puts the questions of MCP servers to the person at the terminal. Nothing is answered that was not typed or agreed to.
struct TerminalElicitor: Sendable {
  let terminal: Terminal

  func answer(_ request: MCPElicitationRequest, of server: String) async throws -> MCPElicitationResult {
    switch request.mode {
    case .url: try await visit(request, server)
    case .form: try await fill(request, server)
    }
  }

  private func visit(_ request: MCPElicitationRequest, _ server: String) async throws -> MCPElicitationResult {
    guard let url = request.url, url.hasPrefix("https://") || url.hasPrefix("http://") else { return .decline }
    let question =
      "The MCP server \(Self.line(server)) wants you to open a page: \(Self.line(request.message))\n"
      + "  \(Self.line(url))\nOpen it yourself, then say yes. [y]es, [n]o: "
    switch try await terminal.choose(question, ["y", "n"]) {
    case "y": return .accept
    case "n": return .decline
    default: return .cancel
    }
  }

  private func fill(_ request: MCPElicitationRequest, _ server: String) async throws -> MCPElicitationResult {
    let question =
      "The MCP server \(Self.line(server)) asks: \(Self.line(request.message))\n"
      + "Never type a password or key here. Answer it? [y]es, [n]o: "
    switch try await terminal.choose(question, ["y", "n"]) {
    case "y": break
    case "n": return .decline
    default: return .cancel
    }
    let required = Set(request.schema["required"]?.arrayValue?.compactMap(\.stringValue) ?? [])
    var content = JSONObject()
    for (name, field) in request.schema["properties"]?.objectValue ?? [:] {
      switch try await value(of: name, field, isRequired: required.contains(name)) {
      case .given(let value): content[name] = value
      case .left: continue
      case .gone: return .cancel
      }
    }
    return .accept(content)
  }

  private enum Typed {
    case given(JSONValue)
    case left, gone
  }

  private func value(of name: String, _ field: JSONValue, isRequired: Bool) async throws -> Typed {
    var words = "  " + Self.line(field["title"]?.stringValue ?? name)
    if let about = field["description"]?.stringValue { words += " (\(Self.line(about)))" }
    let choices = Self.choices(field)
    if !choices.isEmpty { words += " [\(choices.map { Self.line($0.title) }.joined(separator: ", "))]" }
    if let standard = field["default"], !standard.isNull {
      words += ", nothing for \(Self.line(standard.stringValue ?? standard.text()))"
    } else if !isRequired {
      words += ", may be left out"
    }
    while true {
      try terminal.output.write(words + ": ")
      guard let line = try await terminal.input.nextLine() else { return .gone }
      let text = line.trimmingSpaces()
      if text.isEmpty {
        if let standard = field["default"], !standard.isNull { return .given(standard) }
        if !isRequired { return .left }
        continue
      }
      if let value = Self.read(text, field, choices) { return .given(value) }
      try terminal.output.write("  That does not fit.\n")
    }
  }

  /// What was typed as a value that fits the field; nil if none does.
  static func read(_ text: String, _ field: JSONValue, _ choices: [Choice]) -> JSONValue? {
    func choice(_ text: String) -> JSONValue? {
      choices.first { $0.value.stringValue == text || $0.title == text }?.value
    }
    let value: JSONValue?
    switch field["type"]?.stringValue {
    case "array":
      let parts = text.split(separator: ",").map { String($0).trimmingSpaces() }.filter { !$0.isEmpty }
      let chosen = parts.compactMap(choice)
      guard chosen.count == parts.count else { return nil }
      value = .array(chosen)
    case "boolean":
      switch text.lowercased() {
      case "y", "yes", "true": value = true
      case "n", "no", "false": value = false
      default: return nil
      }
    case "integer", "number":
      if case .number(let number)? = try? JSONValue(parsing: text) { value = .number(number) } else { return nil }
    default: value = choices.isEmpty ? .string(text) : choice(text)
    }
    guard let value else { return nil }
    if let schema = try? JSONSchema(field), !schema.validate(value).isEmpty { return nil }
    return value
  }

  struct Choice {
    var value: JSONValue
    var title: String
  }

  /// The values of a choice in any of its forms: `enum` (with `enumNames`), `oneOf` or `anyOf` with `const`, a list of either.
  static func choices(_ field: JSONValue) -> [Choice] {
    let field = field["type"] == "array" ? field["items"] ?? field : field
    if let values = field["enum"]?.arrayValue {
      let names = field["enumNames"]?.arrayValue ?? []
      return values.enumerated().map { index, value in
        let name = index < names.count ? names[index].stringValue : nil
        return Choice(value: value, title: name ?? value.stringValue ?? value.text())
      }
    }
    return (field["oneOf"] ?? field["anyOf"])?.arrayValue?.compactMap { option in
      option["const"].map { Choice(value: $0, title: option["title"]?.stringValue ?? $0.stringValue ?? $0.text()) }
    } ?? []
  }

  private static func line(_ text: String) -> String { ControlFilter.line(text) }
}
