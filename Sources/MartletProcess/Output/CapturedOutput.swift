/// The bytes of a stream, or its beginning and end when there were more than were to be kept.
public struct CapturedOutput: Sendable, Hashable {
  /// The beginning; all of it when nothing was dropped.
  public let head: [UInt8]
  /// The end; empty when nothing was dropped.
  public let tail: [UInt8]
  /// How many bytes between the two were dropped.
  public let dropped: Int

  /// Head and tail in one, without a mark of what was dropped.
  public var bytes: [UInt8] { head + tail }

  /// Everything kept as text; bytes that are not UTF-8 are replaced. Where bytes were dropped, `notice` gives the text
  /// that stands for them.
  public func text(notice: (_ dropped: Int) -> String = { "\n[… \($0) bytes omitted …]\n" }) -> String {
    guard dropped > 0 else { return String(decoding: head, as: UTF8.self) }
    // A character cut in two at either side of the gap is left out rather than shown as a replacement character.
    let kept = head.prefix(UTF8Boundary.completePrefix(of: head))
    let rest = tail.dropFirst(UTF8Boundary.continuationCount(at: tail))
    return String(decoding: kept, as: UTF8.self)
      + notice(dropped + head.count - kept.count + tail.count - rest.count)
      + String(decoding: rest, as: UTF8.self)
  }
}
