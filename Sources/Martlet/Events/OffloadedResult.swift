public import MartletJSON

/// A result of which the view has only the beginning and the end; the whole of it is kept with the session.
public struct OffloadedResult: Sendable, Hashable, JSONConvertible {
  /// The call that it answers.
  public var callId: String
  /// The blob that has the whole text.
  public var blob: String
  /// About how many UTF-8 bytes of it stay.
  public var limit: Int

  /// A result that was moved out of the view.
  public init(callId: String, blob: String, limit: Int = 400) {
    self.callId = callId
    self.blob = blob
    self.limit = limit
  }

  public init(json: JSONValue) throws {
    let fields = try JSONFields(json)
    self.init(
      callId: try fields.string("call_id"), blob: try fields.string("blob"),
      limit: try fields.intIfPresent("limit") ?? 400)
  }

  public var json: JSONValue {
    ["call_id": .string(callId), "blob": .string(blob), "limit": .number(JSONNumber(limit))]
  }

  /// What stays of a result: its text in short, with the way to the rest, and its media not at all.
  func rest(of result: ToolResult) -> [ContentBlock] {
    let whole = KeptText(Array(result.content.compactMap(\.text).joined(separator: "\n").utf8))
    let text = whole.excerpt(limit: max(0, limit)) { left, count in
      "[… lines \(left.lowerBound) to \(left.upperBound) of \(count) moved out: "
        + "read_file gives them with path \(KeptText.scheme)\(blob) …]"
    }
    return [.text(text.isEmpty ? "(moved out: read_file gives it with path \(KeptText.scheme)\(blob))" : text)]
  }
}
