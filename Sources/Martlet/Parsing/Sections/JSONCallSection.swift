import MartletJSON

/// Calls as JSON objects: one, several, or a list, with or without a closing marker.
struct JSONCallSection: CallSection {
  struct Rules: Sendable {
    /// What may close the section. It may be missing.
    var closers: [[UInt8]] = []
    /// Whether the JSON counts as a call only when it names an offered tool and has arguments. For JSON that no marker
    /// announces.
    var offeredOnly = false
    /// Calls of these names are no calls: a model's way of saying that it needs no tool.
    var ignoredNames: Set<String> = []
    /// Whether calls may follow each other with only white space between them.
    var separatedByWhitespace = true

    init(closers: [String] = [], offeredOnly: Bool = false) {
      self.closers = closers.map { Array($0.utf8) }
      self.offeredOnly = offeredOnly
    }
  }

  private enum Phase {
    case opening, value, between, recovering(from: Int), discarding(JSONOutline), skipping(from: Int)
  }

  private let rules: Rules
  private var phase = Phase.opening
  private var outline = CallOutline(at: 0, depthLimit: 0)
  /// Whether the call at hand was announced with `started`.
  private var isStarted = false
  private var previewed = 0
  /// Calls of a list that counts as a whole or not at all.
  private var held: [ToolCallParser.Call] = []
  private var hasCalls = false
  /// Where the bytes begin that count as the call at hand.
  private var anchor = 0

  init(_ rules: Rules) {
    self.rules = rules
  }

  mutating func advance(_ cursor: inout ByteCursor, _ events: inout [SectionEvent]) -> SectionStatus {
    while true {
      let status: SectionStatus?
      switch phase {
      case .opening: status = opening(&cursor)
      case .value: status = value(&cursor, &events)
      case .between: status = between(&cursor, &events)
      case .recovering(let from): status = recovering(from, &cursor, &events)
      case .discarding(let rest): status = discarding(rest, &cursor, &events)
      case .skipping(let from): status = skipping(from, &cursor, &events)
      }
      if let status { return status }
    }
  }

  // MARK: The phases. Each returns nil to go on with the next one.

  private mutating func opening(_ cursor: inout ByteCursor) -> SectionStatus? {
    cursor.skipWhitespace()
    if !rules.closers.isEmpty {
      // Small models fence what is inside the tag as well.
      for fence in ["```json", "```"] {
        switch cursor.consume(Array(fence.utf8)) {
        case .more: return .more
        case .yes: cursor.skipWhitespace()
        case .no: continue
        }
        break
      }
    }
    guard let byte = cursor.byte else { return cursor.isFinal ? .reject : .more }
    guard byte == ASCII.openBrace || byte == ASCII.openBracket else { return .reject }
    begin(cursor)
    return nil
  }

  private mutating func begin(_ cursor: ByteCursor) {
    outline = CallOutline(at: cursor.position, depthLimit: cursor.limits.depth)
    isStarted = false
    anchor = cursor.position
    phase = .value
  }

  /// Where the call at hand begins, or what stands in the place of one.
  private var faultStart: Int { outline.callStart ?? anchor }

  /// Where it becomes too long.
  private func bound(_ cursor: ByteCursor) -> Int {
    faultStart + cursor.limits.callBytes + 1
  }

  private mutating func value(_ cursor: inout ByteCursor, _ events: inout [SectionEvent]) -> SectionStatus? {
    while true {
      let bound = bound(cursor)
      let event = outline.next(cursor.window, end: min(cursor.end, bound))
      cursor.position = outline.position
      switch event {
      case .more:
        if cursor.end >= bound { return tooLong(at: bound, &cursor, &events) }
        if cursor.isFinal { return ended(&cursor, &events) }
        preview(&events)
        return .more
      case .named(let name):
        if rules.offeredOnly {
          guard cursor.tools.contains(name) || rules.ignoredNames.contains(name) else { return .reject }
          if outline.argumentsStart != nil { start(name, &events) }
        } else {
          start(name, &events)
        }
      case .callBegan:
        // The length is counted from here.
        continue
      case .argumentsBegan:
        if rules.offeredOnly, let name = outline.name, cursor.tools.contains(name) { start(name, &events) }
      case .argumentsEnded:
        preview(&events)
      case .call(let range):
        if let status = finish(range, cursor, &events) { return status }
      case .unknownKey, .notACall:
        if rules.offeredOnly, !isStarted { return .reject }
        if case .notACall = event {
          phase = .recovering(from: faultStart)
          return nil
        }
      case .done:
        if rules.offeredOnly, held.isEmpty, !hasCalls { return .reject }
        release(cursor, &events)
        phase = .between
        return nil
      case .broken, .tooDeep:
        if rules.offeredOnly, !isStarted { return .reject }
        preview(&events)
        phase = .recovering(from: faultStart)
        return nil
      }
    }
  }

  /// After a value: a closer, another value, or the end of the section.
  private mutating func between(_ cursor: inout ByteCursor, _ events: inout [SectionEvent]) -> SectionStatus? {
    let valueEnd = cursor.position
    if !rules.closers.isEmpty {
      var closing = cursor
      let match = closing.consumeClosing(rules.closers)
      if match == .yes { cursor.position = closing.position }
      if match != .no { return match == .yes ? .end : .more }
    }
    let limit = valueEnd + ByteCursor.gapLimit
    var separators = 0
    while let byte = cursor.byte, byte.isWhitespace || byte == ASCII.semicolon || byte == ASCII.comma,
      cursor.position < limit
    {
      if !byte.isWhitespace { separators += 1 }
      cursor.position += 1
    }
    let next = cursor.byte
    if next == nil, !cursor.isFinal, separators < 2, cursor.position < limit {
      cursor.position = valueEnd
      return .more
    }
    let goesOn = separators == 1 || (separators == 0 && !rules.closers.isEmpty)
    if goesOn, next == ASCII.openBrace || next == ASCII.openBracket {
      begin(cursor)
      return nil
    }
    cursor.position = valueEnd
    return .end
  }

  /// In a faulty value: its end is where a closer stands, even one that seems to be inside a string.
  private mutating func recovering(
    _ from: Int, _ cursor: inout ByteCursor, _ events: inout [SectionEvent]
  ) -> SectionStatus? {
    let bound = bound(cursor)
    let longest = rules.closers.map(\.count).max() ?? 0
    if let close = cursor.find(anyOf: rules.closers, from: from, limit: bound) {
      let start = faultStart
      repair(start..<close.offset, .marked, cursor, end: close.offset + close.length, &events)
      cursor.position = close.offset + close.length
      return .end
    }
    if cursor.end >= bound {
      let status = tooLong(at: bound, &cursor, &events)
      if status == nil { phase = .skipping(from: cursor.position) }
      return status
    }
    cursor.position = cursor.end
    guard cursor.isFinal else {
      phase = .recovering(from: max(from, cursor.end - longest))
      return .more
    }
    return endedFaulty(&cursor, &events)
  }

  /// In a call that is too long: what is left of its value is dropped.
  private mutating func discarding(
    _ rest: JSONOutline, _ cursor: inout ByteCursor, _ events: inout [SectionEvent]
  ) -> SectionStatus? {
    var rest = rest
    while true {
      let event = rest.next(cursor.window, end: cursor.end)
      cursor.position = rest.position
      switch event {
      case .more where rest.isComplete:
        events.append(.consumed(cursor.position))
        phase = .between
        return nil
      case .more:
        events.append(.consumed(cursor.position))
        phase = .discarding(rest)
        return cursor.isFinal ? .end : .more
      case .broken, .tooDeep:
        phase = .skipping(from: cursor.position)
        return nil
      default: continue
      }
    }
  }

  /// In a faulty call that is too long: only a closer ends it.
  private mutating func skipping(
    _ from: Int, _ cursor: inout ByteCursor, _ events: inout [SectionEvent]
  ) -> SectionStatus? {
    if let close = cursor.find(anyOf: rules.closers, from: from) {
      cursor.position = close.offset + close.length
      return .end
    }
    let isLast = cursor.isFinal || rules.closers.isEmpty
    cursor.position = rules.closers.isEmpty ? from : cursor.end
    let longest = rules.closers.map(\.count).max() ?? 1
    let kept = isLast ? cursor.position : max(from, cursor.end - longest + 1)
    events.append(.consumed(kept))
    phase = .skipping(from: kept)
    return isLast ? .end : .more
  }

  // MARK: Calls

  private mutating func start(_ name: String, _ events: inout [SectionEvent]) {
    guard !isStarted, !rules.ignoredNames.contains(name), !(rules.offeredOnly && outline.isList) else { return }
    isStarted = true
    previewed = 0
    events.append(.started(name: name))
    preview(&events)
  }

  private mutating func preview(_ events: inout [SectionEvent]) {
    guard isStarted, let start = outline.argumentsStart else { return }
    let from = max(previewed, start)
    let end = outline.argumentsEnd ?? outline.position
    guard from < end else { return }
    previewed = end
    events.append(.arguments(from..<end))
  }

  /// The object of a call is complete.
  private mutating func finish(
    _ range: Range<Int>, _ cursor: ByteCursor, _ events: inout [SectionEvent]
  ) -> SectionStatus? {
    let call = ArgumentsText(cursor, end: .marked).call(cursor.window.slice(range), name: outline.endedName)
    defer { isStarted = false }
    if rules.offeredOnly, !isStarted {
      if rules.ignoredNames.contains(call.name) {
        hasCalls = true
        return nil
      }
      guard cursor.tools.contains(call.name), outline.isWrapper || hasArguments(range, cursor) else { return .reject }
      held.append(call)
      return nil
    }
    if !isStarted, rules.ignoredNames.contains(call.name) {
      events.append(.consumed(range.upperBound))
      return nil
    }
    emit(call, end: range.upperBound, &events)
    anchor = range.upperBound
    return nil
  }

  /// Whether the object of a call has a key for arguments: without one it may be any object with a name.
  private func hasArguments(_ range: Range<Int>, _ cursor: ByteCursor) -> Bool {
    do {
      let value = try ArgumentsText(cursor, end: .marked).value(cursor.window.slice(range)).value
      return value.objectValue.map { CallShape($0).arguments != nil } ?? false
    } catch {
      return false
    }
  }

  private mutating func emit(_ call: ToolCallParser.Call, end: Int, _ events: inout [SectionEvent]) {
    if !isStarted { events.append(.started(name: call.name)) }
    isStarted = false
    hasCalls = true
    events.append(.call(call, end: end))
  }

  /// Hands out the calls of a list that turned out to be one.
  private mutating func release(_ cursor: ByteCursor, _ events: inout [SectionEvent]) {
    for (index, call) in held.enumerated() {
      isStarted = false
      // All but the last share the place where the value began: it is consumed as a whole.
      emit(call, end: index == held.count - 1 ? cursor.position : outline.start, &events)
    }
    held = []
    events.append(.consumed(cursor.position))
  }

  // MARK: Faults

  private mutating func repair(
    _ range: Range<Int>, _ end: LenientJSON.End, _ cursor: ByteCursor, end consumed: Int, _ events: inout [SectionEvent]
  ) {
    if !isStarted, hasCalls, outline.callStart == nil {
      // Garbage after the last call of a list.
      events.append(.consumed(consumed))
      return
    }
    let call = ArgumentsText(cursor, end: end).call(cursor.window.slice(range), name: outline.name)
    emit(call, end: consumed, &events)
  }

  /// The stream ended inside a value.
  private mutating func ended(_ cursor: inout ByteCursor, _ events: inout [SectionEvent]) -> SectionStatus? {
    if rules.offeredOnly, !isStarted { return .reject }
    preview(&events)
    let start = faultStart
    if let close = cursor.find(anyOf: rules.closers, from: start) {
      repair(start..<close.offset, .marked, cursor, end: close.offset + close.length, &events)
      cursor.position = close.offset + close.length
      return .end
    }
    return endedFaulty(&cursor, &events)
  }

  private mutating func endedFaulty(_ cursor: inout ByteCursor, _ events: inout [SectionEvent]) -> SectionStatus? {
    cursor.position = cursor.end
    if outline.callStart == nil, hasCalls {
      events.append(.consumed(cursor.end))
      return .end
    }
    guard isStarted || outline.name != nil else { return .reject }
    let start = faultStart
    repair(start..<cursor.end, cursor.isTruncated ? .cut : .stopped, cursor, end: cursor.end, &events)
    return .end
  }

  private mutating func tooLong(
    at bound: Int, _ cursor: inout ByteCursor, _ events: inout [SectionEvent]
  ) -> SectionStatus? {
    guard isStarted else {
      cursor.position = bound
      return .reject
    }
    preview(&events)
    let end = cursor.window.characterBoundary(in: faultStart..<bound)
    let shown = cursor.window.characterBoundary(in: faultStart..<(bound - 1))
    let call = ToolCallParser.Call(
      name: outline.name ?? "",
      arguments: .unparsed(
        text: cursor.window.string(faultStart..<shown),
        reason: "the call is longer than \(cursor.limits.callBytes) bytes"))
    emit(call, end: end, &events)
    cursor.position = end
    phase = .discarding(outline.outline)
    return nil
  }
}
