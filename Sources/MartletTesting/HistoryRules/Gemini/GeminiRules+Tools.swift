import MartletJSON

extension GeminiRules {
  static let tools = [functionNames, uniqueFunctions, schemaFields, enumValues]

  private static func isValidName(_ name: String) -> Bool {
    guard let first = name.utf8.first, first == 0x5F || ((first | 0x20) >= 0x61 && (first | 0x20) <= 0x7A) else {
      return false
    }
    return name.count <= 64
      && name.filter { $0 != "." && $0 != ":" }.isPlainName
  }

  static let functionNames = WireRule<GeminiRequest>(
    "function_names", source: "generateContent reference, FunctionDeclaration.name; wording as answered by the API"
  ) { request, rule in
    request.functions.compactMap { path, function in
      guard !isValidName(function.text("name") ?? "") else { return nil }
      return invalid(
        rule,
        "* GenerateContentRequest.\(path).name: Invalid function name. Must start with a letter or an underscore. Must be alphanumeric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 64.\n"
      )
    }
  }

  static let uniqueFunctions = WireRule<GeminiRequest>(
    "unique_functions", source: "Gemini API; wording as answered by the API"
  ) { request, rule in
    var seen: Set<String> = []
    return request.functions.compactMap { _, function in
      let name = function.text("name") ?? ""
      guard !seen.insert(name).inserted else { return nil }
      return invalid(rule, "Duplicate function declaration found: \(name)")
    }
  }

  private static let schemaKeys: Set<String> = [
    "type", "format", "title", "description", "nullable", "enum", "maxItems", "minItems", "properties", "required",
    "minProperties", "maxProperties", "minLength", "maxLength", "pattern", "example", "anyOf", "propertyOrdering",
    "default", "items", "minimum", "maximum",
    // Accepted in the other spelling too.
    "max_items", "min_items", "min_properties", "max_properties", "min_length", "max_length", "any_of",
    "property_ordering",
  ]

  /// Schemas of the old form with their paths, the root first.
  private static func schemas(_ schema: JSONValue, _ path: String) -> [(path: String, json: JSONValue)] {
    var all = [(path, schema)]
    for (index, member) in (schema["properties"]?.objectValue ?? [:]).enumerated() {
      all += schemas(member.value, "\(path).properties[\(index)].value")
    }
    if let items = schema["items"] { all += schemas(items, "\(path).items") }
    for (index, choice) in schema.elements("anyOf").enumerated() { all += schemas(choice, "\(path).any_of[\(index)]") }
    return all
  }

  /// `parameters` takes Google's subset; real JSON Schema goes into `parametersJsonSchema`.
  static let schemaFields = WireRule<GeminiRequest>(
    "schema_fields", source: "generateContent reference, Schema; wording as answered by the API"
  ) { request, rule in
    request.functions.flatMap { path, function -> [RuleViolation] in
      guard let parameters = function["parameters"] else { return [] }
      return schemas(parameters, "\(path).parameters").flatMap { path, schema in
        (schema.objectValue?.keys.filter { !schemaKeys.contains($0) } ?? []).map {
          invalid(rule, "Invalid JSON payload received. Unknown name \"\($0)\" at '\(path)': Cannot find field.")
        }
      }
    }
  }

  static let enumValues = WireRule<GeminiRequest>(
    "enum_values", source: "generateContent reference, Schema.enum; wording as answered by the API"
  ) { request, rule in
    request.functions.flatMap { path, function -> [RuleViolation] in
      guard let parameters = function["parameters"] else { return [] }
      return schemas(parameters, "\(path).parameters").flatMap { path, schema in
        schema.elements("enum").enumerated().compactMap { index, value in
          value.stringValue == nil
            ? invalid(rule, "Invalid value at '\(path).enum[\(index)]' (TYPE_STRING), \(value.text())") : nil
        }
      }
    }
  }
}
