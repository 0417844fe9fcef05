import MartletJSON

/// The first difference between two JSON documents and their texts.
struct Difference {
  var path: String
  var offset: Int
  var recorded: String
  var replayed: String

  /// Nil for equal texts.
  init?(_ recorded: [UInt8], _ replayed: [UInt8]) {
    guard recorded != replayed else { return nil }
    let common = zip(recorded, replayed).prefix { $0 == $1 }.count
    offset = common
    self.recorded = Self.excerpt(recorded, common)
    self.replayed = Self.excerpt(replayed, common)
    path = ""
    do {
      path = Self.path(try JSONValue(parsing: recorded), try JSONValue(parsing: replayed)) ?? ""
    } catch {
      // A body that is no JSON differs as a whole.
    }
  }

  /// "message.content[0].text, byte 132".
  var place: String { (path.isEmpty ? "" : path + ", ") + "byte \(offset)" }

  private static func excerpt(_ bytes: [UInt8], _ offset: Int) -> String {
    String(decoding: bytes[max(0, offset - 16)..<min(bytes.count, offset + 48)], as: UTF8.self)
  }

  private static func path(_ left: JSONValue, _ right: JSONValue) -> String? {
    switch (left, right) {
    case (.object(let left), .object(let right)):
      for (key, value) in left {
        guard let other = right[key] else { return key }
        if let inner = path(value, other) {
          return inner.isEmpty || inner.hasPrefix("[") ? key + inner : "\(key).\(inner)"
        }
      }
      if let more = right.keys.first(where: { left[$0] == nil }) { return more }
      return zip(left.keys, right.keys).first { $0 != $1 }?.0
    case (.array(let left), .array(let right)):
      for (index, (value, other)) in zip(left, right).enumerated() {
        if let inner = path(value, other) {
          return "[\(index)]" + (inner.isEmpty || inner.hasPrefix("[") ? inner : "." + inner)
        }
      }
      return left.count == right.count ? nil : "[\(min(left.count, right.count))]"
    default: return left == right ? nil : ""
    }
  }
}

extension RecordingError {
  static func diverged(_ what: String, _ difference: Difference, seq: Int?) -> Self {
    var error = Self(.diverged, "the replay differs from the recording at \(what): \(difference.place)", seq: seq)
    error.path = difference.path
    error.offset = difference.offset
    error.recorded = difference.recorded
    error.replayed = difference.replayed
    return error
  }
}
