import MartletJSON

/// What an error says, in whichever form: a provider's own, or that of a gateway or a framework in front of it.
enum ErrorWording {
  /// The message of an error object, or of a body that is one.
  static func message(in error: JSONValue) -> String? {
    if let text = error.stringValue { return text.isEmpty ? nil : text }
    if let message = (error["message"] ?? error["Message"])?.stringValue {
      // OpenRouter puts what the provider behind it said beside its own words.
      if let raw = error["metadata"]?["raw"]?.stringValue, !raw.isEmpty { return "\(message) (\(raw))" }
      return message
    }
    switch error["detail"] ?? error["message"]?["detail"] {
    case .string(let text)?: return text
    case .array(let faults)?:
      return faults.map { fault in
        let place = (fault["loc"]?.arrayValue ?? []).map { $0.stringValue ?? $0.text() }.joined(separator: ".")
        return "\(place): \(fault["msg"]?.stringValue ?? fault.text())"
      }.joined(separator: "; ")
    case let detail? where !detail.isNull: return detail.text()
    default: return nil
    }
  }

  /// The error object of a body: what it has under `error`, or itself.
  static func object(in body: JSONValue) -> JSONValue {
    guard let error = body["error"], !error.isNull else { return body }
    return error
  }
}
