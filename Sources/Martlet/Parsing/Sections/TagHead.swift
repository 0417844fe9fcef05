/// What stands in an opening tag after `name=`: the name, in quotes or not, and more attributes.
struct TagHead: Sendable {
  enum Outcome: Sendable {
    case head(TagHead)
    case more
    case malformed
  }

  let name: String
  private let attributes: String

  private static let limit = 256

  /// Reads up to the end of the tag.
  static func read(_ cursor: inout ByteCursor) -> Outcome {
    let limit = cursor.position + Self.limit
    guard let close = cursor.find(anyOf: [[ASCII.closeAngle]], from: cursor.position, limit: limit) else {
      return cursor.isFinal || cursor.end >= limit ? .malformed : .more
    }
    var start = cursor.position
    var end = start
    if let quote = cursor.byte, quote == ASCII.quote || quote == ASCII.apostrophe {
      start += 1
      guard let closing = cursor.window.firstMatch(ofAny: [[quote]], in: start..<close.offset) else {
        return .malformed
      }
      end = closing.offset
    } else {
      while end < close.offset, !cursor.window[end].isWhitespace { end += 1 }
    }
    let head = TagHead(
      name: cursor.window.string(start..<end), attributes: cursor.window.string(end..<close.offset))
    guard !head.name.isEmpty, head.name.utf8.allSatisfy({ $0 >= 0x20 && $0 != ASCII.openAngle }) else {
      return .malformed
    }
    cursor.position = close.offset + 1
    return .head(head)
  }

  /// Whether an attribute such as `string="true"` says true; `nil` when it is missing.
  func flag(_ name: String) -> Bool? {
    if attributes.contains("\(name)=\"true\"") { return true }
    return attributes.contains("\(name)=\"false\"") ? false : nil
  }
}
