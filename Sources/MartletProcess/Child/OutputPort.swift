/// One output stream of a child: what became of the bytes, and whether more may come.
struct OutputPort {
  /// What is done with the bytes.
  enum Sink {
    /// Kept until they are asked for; reading pauses while `capacity` bytes wait.
    case stream(capacity: Int)
    /// Read at once, beginning and end kept.
    case capture(OutputCapture)
    /// Read at once, the last lines kept.
    case lines(LineTail)
  }

  private(set) var sink: Sink
  private var waiting: [UInt8] = []
  private(set) var hasEnded: Bool
  private var reader: Latch?

  /// - Parameter isOpen: whether the child has this stream at all.
  init(_ sink: Sink, isOpen: Bool) {
    self.sink = sink
    hasEnded = !isOpen
  }

  /// No more may be read until someone takes what waits.
  var isFull: Bool {
    if case .stream(let capacity) = sink { waiting.count >= capacity } else { false }
  }

  /// Returns whom to wake.
  mutating func receive(_ bytes: UnsafeRawBufferPointer) -> Latch? {
    switch sink {
    case .stream:
      waiting.append(contentsOf: bytes)
      defer { reader = nil }
      return reader
    case .capture(var capture):
      sink = .stream(capacity: 0)  // so that the capture is not copied
      capture.append(bytes)
      sink = .capture(capture)
    case .lines(var lines):
      sink = .stream(capacity: 0)
      lines.append(bytes)
      sink = .lines(lines)
    }
    return nil
  }

  /// Returns whom to wake.
  mutating func end() -> Latch? {
    hasEnded = true
    defer { reader = nil }
    return reader
  }

  enum Taken {
    /// Some bytes; `resumes` when reading had paused for them.
    case bytes([UInt8], resumes: Bool)
    case ended
    case wait(Latch)
    /// Someone else is waiting already.
    case busy
  }

  mutating func take() -> Taken {
    if !waiting.isEmpty {
      let resumes = isFull
      defer { waiting = [] }
      return .bytes(waiting, resumes: resumes)
    }
    if hasEnded { return .ended }
    guard reader == nil else { return .busy }
    let latch = Latch()
    reader = latch
    return .wait(latch)
  }

  /// Forgets a reader that gave up.
  mutating func forget(_ latch: Latch) {
    if reader === latch { reader = nil }
  }

  var captured: CapturedOutput {
    if case .capture(let capture) = sink { capture.captured } else { CapturedOutput(head: [], tail: [], dropped: 0) }
  }

  var lines: [String] {
    if case .lines(let lines) = sink { lines.current } else { [] }
  }
}
