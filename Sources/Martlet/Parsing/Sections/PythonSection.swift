import MartletJSON

/// Calls written as Python.
struct PythonSection: CallSection {
  enum Extent: Sendable {
    /// Up to a closer outside of strings.
    case closers([[UInt8]])
    /// One list in brackets.
    case list
  }

  private let extent: Extent
  /// Whether the text counts as calls only when all of them are of offered tools. Otherwise text that is no call is
  /// reported as a call that could not be read.
  private let offeredOnly: Bool
  private var start: Int?
  private var outline = BracketOutline()

  init(_ extent: Extent, offeredOnly: Bool) {
    self.extent = extent
    self.offeredOnly = offeredOnly
  }

  /// A section whose first bytes from `start` on were looked at already.
  init(_ extent: Extent, offeredOnly: Bool, from start: Int) {
    self.init(extent, offeredOnly: offeredOnly)
    self.start = start
  }

  mutating func advance(_ cursor: inout ByteCursor, _ events: inout [SectionEvent]) -> SectionStatus {
    if start == nil { start = cursor.position }
    let start = start ?? cursor.position
    let bound = start + cursor.limits.callBytes
    while let byte = cursor.byte {
      guard cursor.position < bound else { return .reject }
      if case .closers(let closers) = extent, outline.isOutside {
        var closing = cursor
        switch closing.consume(anyOf: closers) {
        case .more: return .more
        case .yes: return read(start..<cursor.position, end: closing.position, &cursor, &events)
        case .no: break
        }
      }
      outline.step(byte)
      cursor.position += 1
      if case .list = extent, outline.depth == 0, outline.isOutside {
        return read(start..<cursor.position, end: cursor.position, &cursor, &events)
      }
    }
    guard cursor.isFinal else { return .more }
    switch extent {
    case .list: return .reject
    case .closers(let closers):
      // A string without an end may have hidden the closer.
      if let close = cursor.find(anyOf: closers, from: start) {
        return read(start..<close.offset, end: close.offset + close.length, &cursor, &events)
      }
      return read(start..<cursor.end, end: cursor.end, &cursor, &events)
    }
  }

  private func read(
    _ range: Range<Int>, end: Int, _ cursor: inout ByteCursor, _ events: inout [SectionEvent]
  ) -> SectionStatus {
    do {
      let calls = try PythonCalls.read(
        cursor.window.slice(range), tools: cursor.tools, depthLimit: cursor.limits.depth)
      if offeredOnly, !calls.allSatisfy({ cursor.tools.contains($0.name) }) { return .reject }
      for (index, call) in calls.enumerated() {
        events.append(.started(name: call.name))
        if let arguments = call.arguments.object { events.append(.argumentsText(JSONValue.object(arguments).text())) }
        events.append(.call(call, end: index == calls.count - 1 ? end : range.lowerBound))
      }
    } catch {
      if offeredOnly { return .reject }
      events.append(.started(name: ""))
      let call = ToolCallParser.Call(
        name: "", arguments: .unparsed(text: cursor.window.string(range), reason: error.reason))
      events.append(.call(call, end: end))
    }
    cursor.position = end
    return .end
  }
}

extension ToolCall.Arguments {
  /// The arguments, when they could be read.
  var object: JSONObject? {
    if case .object(let object) = self { object } else { nil }
  }
}
