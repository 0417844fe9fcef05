import MartletJSON

/// GLM's form inside `<tool_call>`: the name, then `<arg_key>` and `<arg_value>` pairs. GLM 4.5 and 4.6 put each on a
/// line of its own, 4.7 writes no line breaks; a call without arguments is the bare name.
struct ArgumentPairs: CallSection {
  private static let keyTag = Array("<arg_key>".utf8)
  private static let keyEnd = Array("</arg_key>".utf8)
  private static let valueTag = Array("<arg_value>".utf8)
  private static let valueEnd = Array("</arg_value>".utf8)
  private static let closer = Array(ToolCallTag.closer.utf8)
  private static let nameLimit = 128

  private enum Phase {
    case name(start: Int)
    case pairs
    case key(start: Int)
    case valueTag
    case value(start: Int, search: Int)
    case recovering(from: Int, reason: String)
    case skipping(from: Int)
    case done
  }

  private var phase = Phase.name(start: -1)
  private var name = ""
  private var key = ""
  private var call: TagCall?
  private var anchor = 0

  mutating func advance(_ cursor: inout ByteCursor, _ events: inout [SectionEvent]) -> SectionStatus {
    while true {
      let status: SectionStatus?
      switch phase {
      case .name(let start): status = readName(start < 0 ? cursor.position : start, &cursor)
      case .pairs: status = betweenPairs(&cursor, &events)
      case .key(let start): status = readKey(start, &cursor)
      case .valueTag: status = openValue(&cursor)
      case .value(let start, let search): status = value(start, search, &cursor, &events)
      case .recovering(let from, let reason): status = recover(from, reason, &cursor, &events)
      case .skipping(let from): status = skip(from, &cursor, &events)
      case .done: status = .end
      }
      if let status { return status }
    }
  }

  private mutating func readName(_ start: Int, _ cursor: inout ByteCursor) -> SectionStatus? {
    phase = .name(start: start)
    while let byte = cursor.byte, byte.isNameByte, cursor.position - start < Self.nameLimit { cursor.position += 1 }
    guard let byte = cursor.byte else { return cursor.isFinal ? .reject : .more }
    guard byte.isWhitespace || byte == ASCII.openAngle else { return .reject }
    name = cursor.window.string(start..<cursor.position)
    anchor = start
    phase = .pairs
    return nil
  }

  private mutating func betweenPairs(_ cursor: inout ByteCursor, _ events: inout [SectionEvent]) -> SectionStatus? {
    cursor.skipWhitespace()
    let opening = cursor.consume(Self.keyTag)
    if opening == .yes {
      begin(cursor, &events)
      phase = .key(start: cursor.position)
      return nil
    }
    let closing = cursor.consume(Self.closer)
    if closing == .yes {
      // Without arguments there is only the name to tell a call from a mention of the tag.
      guard call != nil || cursor.tools.contains(name) else { return .reject }
      begin(cursor, &events)
      finish(cursor, &events)
      return nil
    }
    if opening == .more || closing == .more || (cursor.byte == nil && !cursor.isFinal) { return .more }
    guard call != nil else { return .reject }
    guard cursor.byte == nil else {
      phase = .recovering(from: cursor.position, reason: "text stands between the arguments")
      return nil
    }
    if cursor.isTruncated {
      fail("the output was cut off inside the call", cursor, &events)
    } else {
      call?.note(.missingClose)
      finish(cursor, &events)
    }
    return nil
  }

  private mutating func readKey(_ start: Int, _ cursor: inout ByteCursor) -> SectionStatus? {
    let bound = start + Self.nameLimit * 2
    guard let close = cursor.find(anyOf: [Self.keyEnd], from: start, limit: bound) else {
      if !cursor.isFinal, cursor.end < bound { return .more }
      phase = .recovering(from: start, reason: "the name of an argument has no end")
      return nil
    }
    key = cursor.trimmed(start..<close.offset)
    cursor.position = close.offset + close.length
    phase = .valueTag
    return nil
  }

  private mutating func openValue(_ cursor: inout ByteCursor) -> SectionStatus? {
    cursor.skipWhitespace()
    switch cursor.consume(Self.valueTag) {
    case .more: return .more
    case .yes: phase = .value(start: cursor.position, search: cursor.position)
    case .no:
      if cursor.byte == nil, !cursor.isFinal { return .more }
      phase = .recovering(from: cursor.position, reason: "the argument \"\(key)\" has no value")
    }
    return nil
  }

  /// A value ends at the closing tag that markup follows.
  private mutating func value(
    _ start: Int, _ search: Int, _ cursor: inout ByteCursor, _ events: inout [SectionEvent]
  ) -> SectionStatus? {
    let bound = anchor + cursor.limits.callBytes
    var search = search
    while let close = cursor.find(anyOf: [Self.valueEnd], from: search, limit: bound) {
      var probe = cursor
      probe.position = close.offset + close.length
      let limit = probe.position + ByteCursor.gapLimit
      while let byte = probe.byte, byte.isWhitespace, probe.position < limit { probe.position += 1 }
      let follows =
        probe.byte == nil ? (cursor.isFinal ? .yes : .more) : probe.consume(anyOf: [Self.keyTag, Self.closer])
      switch follows {
      case .yes:
        take(start..<close.offset, next: close.offset + close.length, &cursor, &events)
        return nil
      case .more:
        phase = .value(start: start, search: close.offset)
        return .more
      case .no: search = close.offset + close.length
      }
    }
    if cursor.end >= bound {
      cursor.position = bound
      fail("the call is longer than \(cursor.limits.callBytes) bytes", cursor, &events)
      phase = .skipping(from: bound)
      return nil
    }
    guard cursor.isFinal else {
      cursor.position = cursor.end
      phase = .value(start: start, search: max(search, cursor.end - Self.valueEnd.count + 1))
      return .more
    }
    if let close = cursor.find(anyOf: [Self.valueEnd], from: start) {
      take(start..<close.offset, next: close.offset + close.length, &cursor, &events)
    } else if let close = cursor.find(anyOf: [Self.closer], from: start) {
      call?.note(.missingClose)
      take(start..<close.offset, next: close.offset, &cursor, &events)
    } else {
      cursor.position = cursor.end
      fail("the output ended inside the value of \"\(key)\"", cursor, &events)
    }
    return nil
  }

  private mutating func take(
    _ range: Range<Int>, next: Int, _ cursor: inout ByteCursor, _ events: inout [SectionEvent]
  ) {
    if let text = call?.add(key, cursor.window.string(range)) { events.append(.argumentsText(text)) }
    cursor.position = next
    phase = .pairs
  }

  private mutating func recover(
    _ from: Int, _ reason: String, _ cursor: inout ByteCursor, _ events: inout [SectionEvent]
  ) -> SectionStatus? {
    let bound = anchor + cursor.limits.callBytes
    if let close = cursor.find(anyOf: [Self.closer], from: from, limit: bound) {
      cursor.position = close.offset + close.length
      fail(reason, cursor, &events)
      return nil
    }
    cursor.position = min(cursor.end, bound)
    if cursor.isFinal || cursor.end >= bound {
      fail(reason, cursor, &events)
      phase = .skipping(from: cursor.position)
      return nil
    }
    phase = .recovering(from: max(from, cursor.end - Self.closer.count + 1), reason: reason)
    return .more
  }

  private mutating func skip(
    _ from: Int, _ cursor: inout ByteCursor, _ events: inout [SectionEvent]
  ) -> SectionStatus? {
    if let close = cursor.find(anyOf: [Self.closer], from: from) {
      cursor.position = close.offset + close.length
      events.append(.consumed(cursor.position))
      return .end
    }
    cursor.position = cursor.end
    let kept = cursor.isFinal ? cursor.end : max(from, cursor.end - Self.closer.count + 1)
    events.append(.consumed(kept))
    phase = .skipping(from: kept)
    return cursor.isFinal ? .end : .more
  }

  private mutating func begin(_ cursor: ByteCursor, _ events: inout [SectionEvent]) {
    guard call == nil else { return }
    call = TagCall(name: name, cursor)
    events.append(.started(name: name))
  }

  private mutating func finish(_ cursor: ByteCursor, _ events: inout [SectionEvent]) {
    guard let call else { return }
    events.append(.argumentsText(call.textEnd))
    events.append(.call(call.read(), end: cursor.position))
    phase = .done
  }

  private mutating func fail(_ reason: String, _ cursor: ByteCursor, _ events: inout [SectionEvent]) {
    let text = cursor.window.string(anchor..<cursor.window.characterBoundary(in: anchor..<cursor.position))
    events.append(.call(.init(name: name, arguments: .unparsed(text: text, reason: reason)), end: cursor.position))
    phase = .done
  }
}
