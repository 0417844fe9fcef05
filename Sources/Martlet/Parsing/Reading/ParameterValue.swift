import MartletJSON

/// Types a value that a dialect wrote as plain text.
struct ParameterValue {
  /// What the schema admits.
  let types: SchemaTypes
  let depthLimit: Int

  /// The value. Text that is none of the admitted types stays a string, so that checking it against the schema tells
  /// the model what is wrong.
  ///
  /// Where the schema admits strings the text is one, but for `null` beside `null`. Where nothing is known, the text is
  /// what it is as JSON, and a string if it is none: so the chat templates of these models write strings bare and
  /// everything else as JSON.
  func value(_ text: String) -> JSONValue {
    let trimmed = text.trimmingWhitespace()
    if types == .all {
      return json(trimmed, lenient: false) ?? .string(text)
    }
    if types.contains(.null), trimmed == "null" || trimmed == "None" { return .null }
    if types.contains(.string) { return .string(text) }
    if types.contains(.boolean) {
      switch trimmed {
      case "true", "True": return true
      case "false", "False": return false
      default: break
      }
    }
    guard let value = json(trimmed, lenient: true) else { return .string(text) }
    switch value {
    case .number where types.contains(.number): return value
    case .object where types.contains(.object): return value
    case .array where types.contains(.array): return value
    default: return .string(text)
    }
  }

  private func json(_ text: String, lenient: Bool) -> JSONValue? {
    let bytes = Array(text.utf8)
    do {
      return try JSONValue(
        parsing: bytes, options: .init(maximumDepth: depthLimit, duplicateKeys: .error, loneSurrogates: .error))
    } catch {
      // No JSON: a string, or Python's spelling of a list or a dictionary.
      guard lenient, case .success(let outcome) = lenientResult(bytes) else { return nil }
      return outcome.value
    }
  }

  private func lenientResult(_ bytes: [UInt8]) -> Result<LenientJSON.Outcome, LenientJSON.Failure> {
    do {
      return .success(try LenientJSON.read(bytes[...], depthLimit: depthLimit, end: .marked))
    } catch {
      return .failure(error)
    }
  }
}

extension String {
  /// The text without white space around it.
  func trimmingWhitespace() -> String {
    var bytes = utf8[...]
    while let first = bytes.first, first.isWhitespace { bytes.removeFirst() }
    while let last = bytes.last, last.isWhitespace { bytes.removeLast() }
    return String(Substring(bytes))
  }
}
