#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Searches files line by line in bounded memory, whatever their size and the length of their lines.
final class FileSearch {
  enum Outcome {
    case searched, stopped
    /// It holds a NUL byte; what came before it has been searched.
    case binary
  }

  /// - Parameters: the number of the line from 1, its bytes, and where in them the first match ends.
  typealias Report = (Int, UnsafeRawBufferPointer, Int) -> DirectoryWalk.Step

  private static let newline = UInt8(ascii: "\n")

  private var matcher: LineMatcher
  private let cancellation: BlockingWork.Cancellation
  private let buffer: UnsafeMutableRawBufferPointer
  private var lineNumber = 1

  /// - Parameter bufferSize: a line longer than this is searched in pieces.
  init(_ pattern: LinePattern, cancellation: BlockingWork.Cancellation, bufferSize: Int = 256 * 1_024) {
    matcher = LineMatcher(pattern)
    self.cancellation = cancellation
    buffer = .allocate(byteCount: bufferSize, alignment: 16)
  }

  deinit { buffer.deallocate() }

  func run(_ file: borrowing OpenFile, report: Report) throws -> Outcome {
    lineNumber = 1
    var (filled, isFirst) = (0, true)
    /// Set while the middle of a line that does not fit is being searched.
    var long: LazyAutomaton.Cursor?
    while true {
      try cancellation.check()
      let count = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
      let fresh = UnsafeRawBufferPointer(rebasing: buffer[filled..<filled + count])
      if Self.first(0, in: fresh) != nil { return .binary }
      filled += count
      var start = 0
      if isFirst, filled >= 3 {
        // A byte order mark is no part of the first line.
        if buffer[0] == 0xEF, buffer[1] == 0xBB, buffer[2] == 0xBF { start = 3 }
        isFirst = false
      }
      if long != nil {
        guard let end = try continueLong(&long, filled: filled, atEnd: count == 0, report) else { return .stopped }
        start = end
        if long != nil {
          if count == 0 { return .searched }
          filled = 0
          continue
        }
      }
      let bytes = UnsafeRawBufferPointer(rebasing: buffer[start..<filled])
      if count == 0 { return lines(bytes, report) == .stop ? .stopped : .searched }
      let complete = (Self.lastNewline(in: bytes) ?? -1) + 1
      if lines(UnsafeRawBufferPointer(rebasing: bytes[..<complete]), report) == .stop { return .stopped }
      let rest = UnsafeRawBufferPointer(rebasing: bytes[complete...])
      if rest.count == buffer.count {
        long = LazyAutomaton.Cursor()
        guard try continueLong(&long, filled: rest.count, atEnd: false, report) != nil else { return .stopped }
        filled = 0
      } else {
        buffer.copyMemory(from: rest)
        filled = rest.count
      }
    }
  }

  /// Searches on in a line longer than the buffer. Returns where the next line begins; nil to stop.
  private func continueLong(
    _ long: inout LazyAutomaton.Cursor?, filled: Int, atEnd: Bool, _ report: Report
  ) throws -> Int? {
    guard var cursor = long else { return 0 }
    let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<filled])
    let end = Self.first(Self.newline, in: bytes)
    let piece = UnsafeRawBufferPointer(rebasing: bytes[..<(end ?? filled)])
    let hadMatched = cursor.hasMatched
    var found = hadMatched ? nil : matcher.advance(&cursor, over: piece)
    if found == nil, !hadMatched, end != nil || atEnd, matcher.finish(&cursor) { found = piece.count }
    if let found {
      cursor.hasMatched = true
      if report(lineNumber, piece, found) == .stop { return nil }
    }
    guard let end else {
      long = cursor
      return filled
    }
    long = nil
    lineNumber += 1
    return end + 1
  }

  /// Searches whole lines, of which the last may lack its newline.
  private func lines(_ bytes: UnsafeRawBufferPointer, _ report: Report) -> DirectoryWalk.Step {
    var position = 0
    while position < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[position...])
      guard let candidate = matcher.firstCandidate(in: rest) else {
        lineNumber += Self.newlines(in: rest)
        return .next
      }
      let before = UnsafeRawBufferPointer(rebasing: rest[..<candidate])
      let start = (Self.lastNewline(in: before) ?? -1) + 1
      lineNumber += Self.newlines(in: before)
      let from = UnsafeRawBufferPointer(rebasing: rest[candidate...])
      let end = Self.first(Self.newline, in: from).map { candidate + $0 } ?? rest.count
      var line = UnsafeRawBufferPointer(rebasing: rest[start..<end])
      if line.last == UInt8(ascii: "\r") { line = UnsafeRawBufferPointer(rebasing: line.dropLast()) }
      let match = matcher.pattern.isLiteral ? candidate - start : matcher.firstMatchEnd(in: line)
      if let match, report(lineNumber, line, match) == .stop { return .stop }
      lineNumber += 1
      position += end + 1
    }
    return .next
  }

  private static func first(_ byte: UInt8, in bytes: UnsafeRawBufferPointer) -> Int? {
    guard let base = bytes.baseAddress, let found = memchr(base, Int32(byte), bytes.count) else { return nil }
    return UnsafeRawPointer(found) - base
  }

  private static func lastNewline(in bytes: UnsafeRawBufferPointer) -> Int? {
    var index = bytes.count - 1
    while index >= 0 {
      if bytes[index] == newline { return index }
      index -= 1
    }
    return nil
  }

  private static func newlines(in bytes: UnsafeRawBufferPointer) -> Int {
    var count = 0
    for byte in bytes where byte == newline { count &+= 1 }
    return count
  }
}
