/// Keeps the beginning and the end of what flows through, in bounded memory.
struct OutputCapture {
  private let headLimit: Int
  private let tailLimit: Int
  private var head: [UInt8] = []
  /// A ring once it has `tailLimit` bytes: the oldest byte is at `tailStart`.
  private var tail: [UInt8] = []
  private var tailStart = 0
  private(set) var total = 0

  /// - Parameter limit: bytes kept; half for the beginning, half for the end.
  init(limit: Int) {
    let limit = max(limit, 0)
    headLimit = limit - limit / 2
    tailLimit = limit / 2
  }

  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    total += bytes.count
    var rest = bytes[...]
    if head.count < headLimit {
      let part = rest.prefix(headLimit - head.count)
      head.append(contentsOf: UnsafeRawBufferPointer(rebasing: part))
      rest = rest.dropFirst(part.count)
    }
    if rest.count > tailLimit { rest = rest.suffix(tailLimit) }
    guard !rest.isEmpty else { return }
    if tail.count < tailLimit {
      let part = rest.prefix(tailLimit - tail.count)
      tail.append(contentsOf: UnsafeRawBufferPointer(rebasing: part))
      rest = rest.dropFirst(part.count)
    }
    while !rest.isEmpty {
      let part = rest.prefix(tailLimit - tailStart)
      tail.withUnsafeMutableBytes { tail in
        UnsafeMutableRawBufferPointer(rebasing: tail[tailStart..<tailStart + part.count])
          .copyMemory(from: UnsafeRawBufferPointer(rebasing: part))
      }
      tailStart = (tailStart + part.count) % tailLimit
      rest = rest.dropFirst(part.count)
    }
  }

  var captured: CapturedOutput {
    let end = Array(tail[tailStart...] + tail[..<tailStart])
    let dropped = total - head.count - tail.count
    return dropped == 0
      ? CapturedOutput(head: head + end, tail: [], dropped: 0)
      : CapturedOutput(head: head, tail: end, dropped: dropped)
  }
}
