import MartletProcess

/// A matching line as it is shown: all of a short one, of a long one what is around the match.
enum MatchLine {
  private static let lengthLimit = 400

  static func text(_ line: UnsafeRawBufferPointer, matchEnd: Int) -> String {
    guard line.count > lengthLimit else { return shown(line[...]) }
    let start = max(0, min(matchEnd - lengthLimit * 2 / 3, line.count - lengthLimit))
    var window = line[start..<min(start + lengthLimit, line.count)]
    if start > 0 { window = window.dropFirst(UTF8Boundary.continuationCount(at: window)) }
    let isCut = window.endIndex < line.count
    if isCut { window = window.prefix(UTF8Boundary.completePrefix(of: window)) }
    return (start > 0 ? "…" : "") + shown(window) + (isCut ? "…" : "")
  }

  private static func shown(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
    ControlText.escaped(String(decoding: bytes, as: UTF8.self), keepsTabs: true)
  }
}
