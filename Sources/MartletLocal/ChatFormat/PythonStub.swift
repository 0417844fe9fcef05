import Martlet
import MartletJSON

/// A tool as the head of a Python function, with its description and its arguments' in the doc string.
enum PythonStub {
  static func text(_ tool: ToolDefinition) -> String {
    let properties = tool.parameters["properties"]?.objectValue ?? [:]
    let required = Set((tool.parameters["required"]?.arrayValue ?? []).compactMap(\.stringValue))
    let signature = properties.map { name, schema in
      let head = "\(name): \(type(schema, in: tool.parameters))"
      if required.contains(name) { return head }
      return head + " = " + (schema["default"].map { CallSyntax.text($0, style: .json) } ?? "...")
    }
    var text = "def \(tool.name)(\(signature.joined(separator: ", "))):\n    \"\"\"\(line(tool.description))\n"
    for (name, schema) in properties { text += "    \(name): \(description(schema))\n" }
    return text + "    \"\"\""
  }

  private static func description(_ schema: JSONValue) -> String {
    var text = line(schema["description"]?.stringValue ?? "")
    let members = (schema["properties"]?.objectValue ?? [:]).compactMap { name, member in
      member["description"]?.stringValue.map { "\(name): \(line($0))" }
    }
    if !members.isEmpty { text += " (\(members.joined(separator: "; ")))" }
    return text
  }

  private static func type(_ schema: JSONValue, in document: JSONValue, depth: Int = 0) -> String {
    guard depth < 8 else { return "any" }
    if let choices = schema["enum"]?.arrayValue, !choices.isEmpty {
      return "Literal[" + choices.map { CallSyntax.text($0, style: .json) }.joined(separator: ", ") + "]"
    }
    if let constant = schema["const"] { return "Literal[\(CallSyntax.text(constant, style: .json))]" }
    for keyword in ["anyOf", "oneOf"] {
      if let choices = schema[keyword]?.arrayValue, !choices.isEmpty {
        return choices.map { type($0, in: document, depth: depth + 1) }.joined(separator: " | ")
      }
    }
    if let pointer = schema["$ref"]?.stringValue {
      let target = try? SchemaGrammar(document: document).resolve(pointer, at: "")  // unresolvable: any, here
      return target.map { type($0, in: document, depth: depth + 1) } ?? "any"
    }
    if let types = schema["type"]?.arrayValue {
      return types.compactMap(\.stringValue).map { names[$0] ?? "any" }.joined(separator: " | ")
    }
    let name = schema["type"]?.stringValue ?? "any"
    if name == "array", let items = schema["items"] { return "list[\(type(items, in: document, depth: depth + 1))]" }
    if name == "object", let members = schema["properties"]?.objectValue, !members.isEmpty {
      let required = Set((schema["required"]?.arrayValue ?? []).compactMap(\.stringValue))
      let fields = members.map { key, member in
        JSONValue.string(key).text() + (required.contains(key) ? ": " : "?: ")
          + type(member, in: document, depth: depth + 1)
      }
      return "{" + fields.joined(separator: ", ") + "}"
    }
    return names[name] ?? "any"
  }

  private static let names = [
    "string": "str", "integer": "int", "number": "float", "boolean": "bool", "object": "dict", "array": "list",
    "null": "None",
  ]

  /// White space of any length is one space: a doc string's layout tells the model nothing.
  private static func line(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
