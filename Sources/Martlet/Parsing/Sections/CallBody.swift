import MartletJSON

/// The rest of a call whose name was read: its arguments as a JSON object, bare or fenced, and what closes the call.
struct CallBody: Sendable {
  enum Status { case more, done }

  private enum Phase { case opening, arguments(ArgumentsReader), closing, skipping(from: Int) }

  private let name: String
  private let writtenID: String?
  private let closers: [[UInt8]]
  private var phase = Phase.opening
  private var isAnnounced = false

  /// `closers` end a call; the last one may be missing at the end of the turn.
  init(name: String, writtenID: String? = nil, closers: [[UInt8]]) {
    self.name = name
    self.writtenID = writtenID
    self.closers = closers
  }

  private static let fences = [Array("```json".utf8), Array("```".utf8)]

  mutating func advance(_ cursor: inout ByteCursor, _ events: inout [SectionEvent]) -> Status {
    if !isAnnounced {
      isAnnounced = true
      events.append(.started(name: name))
    }
    while true {
      switch phase {
      case .opening:
        guard let status = open(&cursor, &events) else { continue }
        return status
      case .arguments(var reader):
        let outcome = reader.advance(&cursor, &events)
        phase = .arguments(reader)
        guard case .finished(let arguments, let repairs, let end, let ending) = outcome else { return .more }
        cursor.position = end
        finish(arguments, repairs, end: end, &events)
        switch ending {
        case .closer: return .done
        case .bracket: phase = .closing
        case .limit: phase = .skipping(from: end)
        }
      case .closing:
        let start = cursor.position
        let match = cursor.consumeClosing(closers)
        if match != .yes { cursor.position = start }
        return match == .more ? .more : .done
      case .skipping(let from):
        if let close = cursor.find(anyOf: closers, from: from) {
          cursor.position = close.offset + close.length
          events.append(.consumed(cursor.position))
          return .done
        }
        cursor.position = cursor.end
        let kept = cursor.isFinal ? cursor.end : max(from, cursor.end - (closers.map(\.count).max() ?? 1) + 1)
        events.append(.consumed(kept))
        phase = .skipping(from: kept)
        return cursor.isFinal ? .done : .more
      }
    }
  }

  private mutating func open(_ cursor: inout ByteCursor, _ events: inout [SectionEvent]) -> Status? {
    cursor.skipWhitespace()
    for fence in Self.fences {
      let match = cursor.consume(fence)
      if match == .more { return .more }
      guard match == .yes else { continue }
      cursor.skipWhitespace()
      break
    }
    switch cursor.consume(anyOf: closers) {
    case .more: return .more
    case .yes:
      finish(.object([:]), [], end: cursor.position, &events)
      return .done
    case .no: break
    }
    guard cursor.byte != nil else {
      guard cursor.isFinal else { return .more }
      finish(.unparsed(text: "", reason: "the output ended before the arguments"), [], end: cursor.position, &events)
      return .done
    }
    phase = .arguments(ArgumentsReader(at: cursor.position, closers: closers, depthLimit: cursor.limits.depth))
    return nil
  }

  private func finish(
    _ arguments: ToolCall.Arguments, _ repairs: [ToolCallParser.Repair], end: Int, _ events: inout [SectionEvent]
  ) {
    var arguments = arguments
    if name.isEmpty, case .object(let object) = arguments {
      arguments = .unparsed(text: JSONValue.object(object).text(), reason: "the call has no tool name")
    }
    let call = ToolCallParser.Call(name: name, arguments: arguments, repairs: repairs, writtenID: writtenID)
    events.append(.call(call, end: end))
  }
}
