import MartletJSON

/// Reads the JSON object with the arguments of a call whose name is known, for dialects that write the name outside.
struct ArgumentsReader: Sendable {
  enum Outcome: Sendable {
    case more
    /// The arguments, and where reading goes on.
    case finished(ToolCall.Arguments, [ToolCallParser.Repair], end: Int, Ending)
  }

  /// What ended the arguments.
  enum Ending: Sendable {
    /// Their last bracket, or the end of the output.
    case bracket
    /// The closer of the call, which was consumed.
    case closer
    /// The length limit: the rest of the call is still to come.
    case limit
  }

  private enum Phase { case object, recovering(from: Int), tooLong }

  private var outline: JSONOutline
  private let start: Int
  private let closers: [[UInt8]]
  private var phase = Phase.object
  private var previewed: Int

  /// A reader of what begins at `start` and ends with its last bracket; `closers` tell where a faulty one ends.
  init(at start: Int, closers: [[UInt8]], depthLimit: Int) {
    self.start = start
    self.closers = closers
    previewed = start
    outline = JSONOutline(at: start, depthLimit: depthLimit)
  }

  mutating func advance(_ cursor: inout ByteCursor, _ events: inout [SectionEvent]) -> Outcome {
    let bound = start + cursor.limits.callBytes + 1
    while case .object = phase {
      let event = outline.next(cursor.window, end: min(cursor.end, bound))
      cursor.position = outline.position
      switch event {
      case .began(let kind, let at) where at == start && kind != .object:
        phase = .recovering(from: start)
      case .broken, .tooDeep:
        preview(&events)
        phase = .recovering(from: start)
      case .more where outline.isComplete:
        preview(&events)
        let (arguments, repairs) = ArgumentsText(cursor, end: .marked).arguments(
          cursor.window.slice(start..<outline.position))
        return .finished(arguments, repairs, end: outline.position, .bracket)
      case .more where cursor.end >= bound:
        preview(&events)
        return tooLong(bound, cursor)
      case .more where cursor.isFinal:
        preview(&events)
        phase = .recovering(from: start)
      case .more:
        preview(&events)
        return .more
      default:
        break
      }
    }
    return recover(bound, &cursor)
  }

  private mutating func recover(_ bound: Int, _ cursor: inout ByteCursor) -> Outcome {
    guard case .recovering(let from) = phase else { return tooLong(bound, cursor) }
    if let close = cursor.find(anyOf: closers, from: from, limit: bound) {
      return read(start..<close.offset, .marked, end: close.offset + close.length, .closer, cursor)
    }
    if cursor.end >= bound { return tooLong(bound, cursor) }
    cursor.position = cursor.end
    if cursor.isFinal {
      return read(start..<cursor.end, cursor.isTruncated ? .cut : .stopped, end: cursor.end, .bracket, cursor)
    }
    phase = .recovering(from: max(from, cursor.end - (closers.map(\.count).max() ?? 0)))
    return .more
  }

  private mutating func preview(_ events: inout [SectionEvent]) {
    guard previewed < outline.position else { return }
    events.append(.arguments(previewed..<outline.position))
    previewed = outline.position
  }

  private func read(
    _ range: Range<Int>, _ end: LenientJSON.End, end consumed: Int, _ ending: Ending, _ cursor: ByteCursor
  ) -> Outcome {
    let (arguments, repairs) = ArgumentsText(cursor, end: end).arguments(cursor.window.slice(range))
    return .finished(arguments, repairs, end: consumed, ending)
  }

  private mutating func tooLong(_ bound: Int, _ cursor: ByteCursor) -> Outcome {
    phase = .tooLong
    let shown = cursor.window.characterBoundary(in: start..<(bound - 1))
    let arguments = ToolCall.Arguments.unparsed(
      text: cursor.window.string(start..<shown), reason: "the call is longer than \(cursor.limits.callBytes) bytes")
    return .finished(arguments, [], end: bound, .limit)
  }
}
