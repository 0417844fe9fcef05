import MartletJSON

/// Calls whose arguments are elements. Values are typed by the tool's schema.
///
/// Values are not escaped in these dialects: a value ends at the closing tag that markup follows, so that text which
/// merely holds such a tag stays whole.
struct TagCallSection: CallSection {
  private enum Phase {
    /// Before a call's tag.
    case calls
    /// In a call's tag, before the name.
    case name
    /// Before a parameter, or the end of the call.
    case parameters
    /// In a parameter's tag, before the name.
    case key
    /// In a value. No end of it stands before `search`.
    case value(start: Int, search: Int)
    /// In a call that cannot be read, up to where it closes.
    case recovering(from: Int, reason: String)
    /// In a call that was reported already.
    case skipping(from: Int)
    /// After a call.
    case after
  }

  private let syntax: TagSyntax
  private var phase: Phase
  private var name = ""
  private var call: TagCall?
  private var key = ""
  private var isString: Bool?
  private var anchor = 0

  /// A section that stands before its first call.
  init(_ syntax: TagSyntax) {
    self.syntax = syntax
    phase = .calls
  }

  /// A section that stands behind the tag of its first call.
  init(_ syntax: TagSyntax, name: String, at position: Int) {
    self.syntax = syntax
    self.name = name
    anchor = position
    phase = .parameters
  }

  mutating func advance(_ cursor: inout ByteCursor, _ events: inout [SectionEvent]) -> SectionStatus {
    while true {
      let status: SectionStatus?
      switch phase {
      case .calls: status = beforeCalls(&cursor)
      case .name: status = readName(&cursor)
      case .parameters: status = betweenParameters(&cursor, &events)
      case .key: status = readKey(&cursor)
      case .value(let start, let search): status = value(start, search, &cursor, &events)
      case .recovering(let from, let reason): status = recover(from, reason, &cursor, &events)
      case .skipping(let from): status = skip(from, &cursor, &events)
      case .after: status = afterCall(&cursor)
      }
      if let status { return status }
    }
  }

  // MARK: Tags

  private mutating func beforeCalls(_ cursor: inout ByteCursor) -> SectionStatus? {
    cursor.skipWhitespace()
    switch cursor.consume(syntax.call) {
    case .more: return .more
    case .no: return .reject
    case .yes: phase = .name
    }
    return nil
  }

  private mutating func readName(_ cursor: inout ByteCursor) -> SectionStatus? {
    switch TagHead.read(&cursor) {
    case .more: return .more
    case .malformed: return .reject
    case .head(let head):
      guard head.name.utf8.allSatisfy(\.isNameByte) else { return .reject }
      name = head.name
      call = nil
      anchor = cursor.position
      phase = .parameters
    }
    return nil
  }

  private mutating func betweenParameters(
    _ cursor: inout ByteCursor, _ events: inout [SectionEvent]
  ) -> SectionStatus? {
    cursor.skipWhitespace()
    let parameter = cursor.consume(syntax.parameter)
    if parameter == .yes {
      start(cursor, &events)
      phase = .key
      return nil
    }
    let callEnd = cursor.consume(syntax.callEnd)
    if callEnd == .yes {
      start(cursor, &events)
      finish(cursor, &events)
      return nil
    }
    // The closing tag of the call may be missing before that of the section, or where the turn ends.
    var probe = cursor
    let sectionEnd = call == nil ? .no : probe.consume(anyOf: syntax.sectionEnds)
    if parameter == .more || callEnd == .more || sectionEnd == .more { return .more }
    if sectionEnd == .yes {
      call?.note(.missingClose)
      finish(cursor, &events)
      return nil
    }
    if cursor.byte == nil, !cursor.isFinal { return .more }
    if call == nil { return .reject }
    guard cursor.byte == nil else {
      phase = .recovering(from: cursor.position, reason: "text stands between the parameters")
      return nil
    }
    if cursor.isTruncated {
      fail("the output was cut off inside the call", cursor, end: cursor.position, &events)
    } else {
      call?.note(.missingClose)
      finish(cursor, &events)
    }
    return nil
  }

  private mutating func readKey(_ cursor: inout ByteCursor) -> SectionStatus? {
    switch TagHead.read(&cursor) {
    case .more: return .more
    case .malformed: phase = .recovering(from: cursor.position, reason: "the tag of a parameter is malformed")
    case .head(let head):
      key = head.name
      isString = head.flag("string")
      phase = .value(start: cursor.position, search: cursor.position)
    }
    return nil
  }

  // MARK: Values

  private mutating func value(
    _ start: Int, _ search: Int, _ cursor: inout ByteCursor, _ events: inout [SectionEvent]
  ) -> SectionStatus? {
    let bound = anchor + cursor.limits.callBytes
    var search = search
    while let tag = cursor.find(anyOf: [syntax.parameterEnd, syntax.parameter], from: search, limit: bound) {
      let after = tag.offset + tag.length
      if cursor.window.matches(syntax.parameter, at: tag.offset) == true {
        // The next parameter at the beginning of a line: the closing tag of this one is missing.
        if tag.offset > start, cursor.window[tag.offset - 1] == ASCII.newline {
          take(start..<tag.offset, next: tag.offset, &cursor, &events)
          return nil
        }
      } else {
        switch followsValue(after, cursor) {
        case .yes:
          take(start..<tag.offset, next: after, &cursor, &events)
          return nil
        case .more:
          phase = .value(start: start, search: tag.offset)
          return .more
        case .no: break
        }
      }
      search = after
    }
    if cursor.end >= bound {
      cursor.position = bound
      fail("the call is longer than \(cursor.limits.callBytes) bytes", cursor, end: bound, &events)
      phase = .skipping(from: bound)
      return nil
    }
    if cursor.isFinal {
      endInValue(start, &cursor, &events)
      return nil
    }
    cursor.position = cursor.end
    let longest = max(syntax.parameterEnd.count, syntax.parameter.count)
    phase = .value(start: start, search: max(search, cursor.end - longest + 1))
    return .more
  }

  /// Whether markup follows what looks like the closing tag of a value.
  private func followsValue(_ position: Int, _ cursor: ByteCursor) -> ByteCursor.Match {
    var probe = cursor
    probe.position = position
    let limit = position + ByteCursor.gapLimit
    while let byte = probe.byte, byte.isWhitespace, probe.position < limit { probe.position += 1 }
    guard probe.byte != nil else { return cursor.isFinal ? .yes : .more }
    return probe.consume(anyOf: [syntax.parameter, syntax.callEnd] + syntax.sectionEnds)
  }

  /// The turn ended inside a value: at best only its closing tag is missing.
  private mutating func endInValue(_ start: Int, _ cursor: inout ByteCursor, _ events: inout [SectionEvent]) {
    if let close = cursor.find(anyOf: [syntax.parameterEnd], from: start) {
      take(start..<close.offset, next: close.offset + close.length, &cursor, &events)
    } else if let close = cursor.find(anyOf: ends, from: start) {
      take(start..<close.offset, next: close.offset, &cursor, &events)
    } else {
      cursor.position = cursor.end
      fail("the output ended inside the value of \"\(key)\"", cursor, end: cursor.end, &events)
    }
  }

  private mutating func take(
    _ range: Range<Int>, next: Int, _ cursor: inout ByteCursor, _ events: inout [SectionEvent]
  ) {
    if next == range.upperBound { call?.note(.missingClose) }
    var range = range
    if syntax.hasValueLines {
      if let first = range.first, cursor.window[first] == ASCII.newline { range = (first + 1)..<range.upperBound }
      if let last = range.last, cursor.window[last] == ASCII.newline { range = range.lowerBound..<last }
    }
    if let text = call?.add(key, cursor.window.string(range), isString: isString) {
      events.append(.argumentsText(text))
    }
    cursor.position = next
    phase = .parameters
  }

  // MARK: Faults and ends

  private mutating func recover(
    _ from: Int, _ reason: String, _ cursor: inout ByteCursor, _ events: inout [SectionEvent]
  ) -> SectionStatus? {
    let bound = anchor + cursor.limits.callBytes
    if let close = cursor.find(anyOf: ends, from: from, limit: bound) {
      cursor.position = close.offset
      _ = cursor.consume(syntax.callEnd)
      fail(reason, cursor, end: cursor.position, &events)
      return nil
    }
    cursor.position = min(cursor.end, bound)
    if cursor.isFinal || cursor.end >= bound {
      fail(reason, cursor, end: cursor.position, &events)
      phase = .skipping(from: cursor.position)
      return nil
    }
    phase = .recovering(from: max(from, cursor.end - longestEnd + 1), reason: reason)
    return .more
  }

  private mutating func skip(
    _ from: Int, _ cursor: inout ByteCursor, _ events: inout [SectionEvent]
  ) -> SectionStatus? {
    if let close = cursor.find(anyOf: ends, from: from) {
      cursor.position = close.offset
      _ = cursor.consume(syntax.callEnd)
      events.append(.consumed(cursor.position))
      phase = .after
      return nil
    }
    cursor.position = cursor.end
    let kept = cursor.isFinal ? cursor.end : max(from, cursor.end - longestEnd + 1)
    events.append(.consumed(kept))
    phase = .skipping(from: kept)
    return cursor.isFinal ? .end : .more
  }

  private var ends: [[UInt8]] { [syntax.callEnd] + syntax.sectionEnds }
  private var longestEnd: Int { ends.map(\.count).max() ?? 1 }

  private mutating func afterCall(_ cursor: inout ByteCursor) -> SectionStatus? {
    let start = cursor.position
    let limit = start + ByteCursor.gapLimit
    while let byte = cursor.byte, byte.isWhitespace, cursor.position < limit { cursor.position += 1 }
    let sectionEnd = cursor.consume(anyOf: syntax.sectionEnds)
    if sectionEnd == .yes { return .end }
    let next = cursor.consume(syntax.call)
    if next == .yes {
      phase = .name
      return nil
    }
    cursor.position = start
    return sectionEnd == .more || next == .more ? .more : .end
  }

  private mutating func start(_ cursor: ByteCursor, _ events: inout [SectionEvent]) {
    guard call == nil else { return }
    call = TagCall(name: name, cursor)
    events.append(.started(name: name))
  }

  private mutating func finish(_ cursor: ByteCursor, _ events: inout [SectionEvent]) {
    guard let call else { return }
    events.append(.argumentsText(call.textEnd))
    events.append(.call(call.read(), end: cursor.position))
    phase = .after
  }

  private mutating func fail(_ reason: String, _ cursor: ByteCursor, end: Int, _ events: inout [SectionEvent]) {
    let text = cursor.window.string(anchor..<cursor.window.characterBoundary(in: anchor..<end))
    events.append(.call(.init(name: name, arguments: .unparsed(text: text, reason: reason)), end: end))
    phase = .after
  }
}
