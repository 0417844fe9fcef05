import MartletProcess

/// Some lines of a file, read in a stream so that the file may be of any size.
struct FileExcerpt {
  struct Binary: Error {
    let size: Int
  }

  /// Why no more lines are shown though the file goes on.
  private enum End {
    case lineLimit, full
  }

  /// Bytes shown of one line, where there is room for that.
  private static let lineLengthLimit = 2_000
  /// Bytes read past the excerpt to count the lines that follow.
  private static let countingLimit = 64 * 1_024 * 1_024

  private(set) var output: CappedText
  /// The lines shown: the number of the first, and how many.
  private(set) var firstLine: Int
  private(set) var lineCount = 0
  /// All lines of the file, where that is known.
  private(set) var totalLines: Int?
  private(set) var notices: [String] = []

  private let lineLimit: Int?
  private let lineLengthLimit: Int
  private var line: [UInt8] = []
  private var lineLength = 0
  /// The number of the line that is being read.
  private var current = 1
  private var cutLines = 0
  private var hasCarriageReturns = false
  private var hasInvalidText = false

  /// - Parameters:
  ///   - offset: the first line wanted, from 1.
  ///   - limit: how many; nil for all that fit.
  /// - Throws: `FileAccessError`, `Binary`, `CancellationError`.
  init(
    of file: borrowing OpenFile, offset: Int, limit: Int?, output: CappedText, cancellation: BlockingWork.Cancellation
  ) throws {
    self.output = output
    firstLine = offset
    lineLimit = limit
    lineLengthLimit = min(Self.lineLengthLimit, output.room / 2)
    try read(file, cancellation)
  }

  private mutating func read(_ file: borrowing OpenFile, _ cancellation: BlockingWork.Cancellation) throws {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 128 * 1_024, alignment: 16)
    defer { buffer.deallocate() }
    var (end, size, newlines, counted) = (End?.none, 0, 0, 0)
    var lastByte: UInt8?
    while counted <= Self.countingLimit {
      try cancellation.check()
      let count = try file.read(into: buffer)
      if count == 0 { break }
      let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
      if size == 0, bytes.prefix(8_192).contains(0) { throw Binary(size: try file.size()) }
      size += count
      newlines += bytes.count { $0 == UInt8(ascii: "\n") }
      lastByte = bytes.last
      if end == nil { end = take(bytes) } else { counted += count }
    }
    // A last line may lack its newline.
    let isOpen = lastByte.map { $0 != UInt8(ascii: "\n") } ?? false
    if counted <= Self.countingLimit {
      if end == nil, isOpen { end = closeLine() }
      totalLines = newlines + (isOpen ? 1 : 0)
    }
    describe(end)
  }

  /// Takes lines from a chunk until there is a reason to stop.
  private mutating func take(_ bytes: UnsafeRawBufferPointer) -> End? {
    var rest = bytes[...]
    while let newline = rest.firstIndex(of: UInt8(ascii: "\n")) {
      extend(rest[..<newline])
      rest = rest[(newline + 1)...]
      if let end = closeLine() { return end }
    }
    extend(rest)
    return nil
  }

  private mutating func extend(_ bytes: Slice<UnsafeRawBufferPointer>) {
    guard current >= firstLine else { return }
    lineLength += bytes.count
    line.append(contentsOf: bytes.prefix(max(0, lineLengthLimit + 1 - line.count)))
  }

  /// Shows the line that has been read and goes on to the next.
  private mutating func closeLine() -> End? {
    defer {
      line.removeAll(keepingCapacity: true)
      lineLength = 0
    }
    if current >= firstLine {
      if let lineLimit, lineCount >= lineLimit { return .lineLimit }
      guard output.append(line: lineText()) else { return .full }
      lineCount += 1
    }
    current += 1
    if current > firstLine, let lineLimit, lineCount >= lineLimit { return .lineLimit }
    return nil
  }

  private mutating func lineText() -> String {
    if lineLength > lineLengthLimit {
      cutLines += 1
      let kept = line.prefix(lineLengthLimit)
      return String(decoding: kept.prefix(UTF8Boundary.completePrefix(of: kept)), as: UTF8.self) + "…"
    }
    if line.last == UInt8(ascii: "\r") {
      line.removeLast()
      hasCarriageReturns = true
    }
    if !hasInvalidText, String(validating: line, as: UTF8.self) == nil { hasInvalidText = true }
    return String(decoding: line, as: UTF8.self)
  }

  private mutating func describe(_ end: End?) {
    let last = firstLine + lineCount - 1
    if end != nil, totalLines.map({ $0 > last }) ?? true {
      let total = totalLines.map { " of \($0)" } ?? ""
      notices.append("lines \(firstLine) to \(last)\(total); continue with offset \(last + 1)")
    }
    if cutLines > 0 {
      notices.append(
        "\(cutLines == 1 ? "1 line is" : "\(cutLines) lines are") longer than \(lineLengthLimit) bytes and cut")
    }
    if hasCarriageReturns { notices.append("lines end with CRLF") }
    if hasInvalidText { notices.append("not all of it is UTF-8; the other bytes are shown as \u{FFFD}") }
  }
}
