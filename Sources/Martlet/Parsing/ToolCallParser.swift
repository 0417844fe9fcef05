import MartletJSON

/// Turns the text that a model writes into text, thinking and tool calls, while it streams.
///
/// ```swift
/// var parser = ToolCallParser(.hermes, tools: OfferedTools(names: ["search"]))
/// for try await delta in deltas {
///   for output in parser.feed(delta) { show(output) }
/// }
/// for output in parser.finish() { show(output) }
/// ```
///
/// - Markup never appears in text. Text that only looked like markup comes out as text, byte for byte.
/// - How the stream is cut into deltas changes nothing but how the text is cut.
/// - Only what may still become markup is held back. Time is linear in the input.
/// - White space between markup and markup, between markup and the beginning or the end of the turn, and before markup
///   belongs to the markup; all other white space is text.
///
/// One parser reads one turn.
public struct ToolCallParser: Sendable {
  /// Settings of a parser.
  public struct Options: Sendable, Hashable {
    /// Whether the prompt already opened a thinking tag, so that the output begins inside of it. Some chat templates do.
    public var startsInThinking: Bool
    /// Bounds on what one call may take.
    public var limits: Limits
    /// Whether consumed markup is reported too, as `Output.markup`.
    public var reportsMarkup: Bool

    /// Settings.
    public init(startsInThinking: Bool = false, limits: Limits = Limits(), reportsMarkup: Bool = false) {
      self.startsInThinking = startsInThinking
      self.limits = limits
      self.reportsMarkup = reportsMarkup
    }
  }

  private enum Mode {
    case text
    case thinking(closers: [[UInt8]])
    case section(any CallSection, Opening)
  }

  /// Where a section was opened, should it turn out to be prose.
  private struct Opening {
    let start: Int
    /// The offset after the marker.
    let contents: Int
    let kind: Kind
    let prose: Prose

    enum Kind { case marker, bare, fence }
  }

  private let grammar: DialectGrammar
  private let tools: OfferedTools
  private let options: Options

  private var window = ByteWindow()
  private var mode: Mode
  private var prose = Prose()
  /// Everything before it was put out.
  private var pending = 0
  /// Everything before it was looked at.
  private var position = 0
  private var isFinished = false
  private var isTruncated = false
  /// Whether text for the user was put out.
  private var hasText = false
  private var nextIndex = 0
  /// Bytes of a character in a preview that is not complete yet.
  private var previewRest: Range<Int>?
  /// Bytes read again after sections that were none.
  private var rereadBytes = 0
  private var outputs: [Output] = []

  /// A parser of one turn.
  /// - Parameters:
  ///   - dialect: How the model writes its calls.
  ///   - tools: What the model was offered.
  public init(_ dialect: ToolCallDialect = .auto, tools: OfferedTools = OfferedTools(), options: Options = Options()) {
    grammar = .grammar(of: dialect)
    self.tools = tools
    self.options = options
    mode = options.startsInThinking ? .thinking(closers: grammar.thinkingClosers) : .text
    if options.startsInThinking { prose.markupEnded(at: 0) }
  }

  /// Reads more of the turn.
  public mutating func feed(_ delta: String) -> [Output] {
    feed(bytes: delta.utf8)
  }

  /// Reads more of the turn as UTF-8 that may be cut anywhere. Invalid UTF-8 reads as U+FFFD.
  public mutating func feed(bytes: some Collection<UInt8>) -> [Output] {
    precondition(!isFinished, "the turn is over: a new one needs a new parser")
    window.append(bytes)
    run()
    window.discard(before: pending)
    return takeOutputs()
  }

  /// Ends the turn: what was held back is decided now.
  /// - Parameter truncated: Whether the output stopped at its token limit. A call that is not complete is then reported
  ///   as unparsed, where otherwise a missing closing bracket or tag at the end is forgiven.
  public mutating func finish(truncated: Bool = false) -> [Output] {
    guard !isFinished else { return [] }
    isFinished = true
    isTruncated = truncated
    run()
    return takeOutputs()
  }

  /// Reads a whole turn at once.
  public static func parse(
    _ text: String, as dialect: ToolCallDialect = .auto, tools: OfferedTools = OfferedTools(),
    options: Options = Options(), truncated: Bool = false
  ) -> [Output] {
    var parser = ToolCallParser(dialect, tools: tools, options: options)
    return parser.feed(text) + parser.finish(truncated: truncated)
  }

  private mutating func takeOutputs() -> [Output] {
    defer { outputs = [] }
    return outputs
  }

  private mutating func run() {
    while true {
      let goesOn: Bool
      switch mode {
      case .text: goesOn = readText()
      case .thinking(let closers): goesOn = readThinking(closers)
      case .section(let section, let opening):
        // The copy in `mode` would make every change of the section copy its storage.
        mode = .text
        goesOn = readSection(section, opening)
      }
      if !goesOn { return }
    }
  }

  // MARK: Prose

  /// Reads text up to a marker. Returns whether there is more to do now.
  private mutating func readText() -> Bool {
    while position < window.end {
      let byte = window[position]
      if grammar.markers.isFirst(byte) || (byte == ASCII.openBrace || byte == ASCII.openBracket) {
        let prose = prose
        switch grammar.markers.match(window, at: position, where: { prose.admits($0.condition) }) {
        case .full(let marker):
          if open(marker) { return true }
          continue
        case .partial where !isFinished:
          putText(upTo: position)
          return false
        case .partial, .none: break
        }
        if isBareCall(byte) {
          putText(upTo: position)
          let opening = Opening(start: position, contents: position, kind: .bare, prose: prose)
          mode = .section(BareCalls(), opening)
          return true
        }
      }
      step(byte)
    }
    putText(upTo: position)
    return false
  }

  private func isBareCall(_ byte: UInt8) -> Bool {
    grammar.readsBareCalls && !tools.isEmpty && (byte == ASCII.openBrace || byte == ASCII.openBracket)
      && prose.mayBeginCall
  }

  /// Takes a byte as prose.
  private mutating func step(_ byte: UInt8) {
    position += 1
    if prose.step(byte, window, at: position - 1) {
      // A run of white space that is too long to belong to markup.
      settle(upTo: position, isThinking: false)
    }
  }

  /// Acts on a marker that stands at `position`. Returns whether the mode changed.
  private mutating func open(_ marker: Marker) -> Bool {
    let end = position + marker.literal.count
    switch marker.action {
    case .calls(let section):
      begin(section(), end, .marker)
      return true
    case .fence(let rules):
      guard !prose.isInFence else {
        skip(to: end)
        prose.isInFence = false
        return false
      }
      begin(CodeFence(rules), end, .fence)
      return true
    case .thinking(let closers):
      putText(upTo: position)
      consume(upTo: end)
      mode = .thinking(closers: closers)
      return true
    case .endOfThinking, .drop:
      putText(upTo: position)
      consume(upTo: end)
      return false
    }
  }

  private mutating func begin(_ section: any CallSection, _ contents: Int, _ kind: Opening.Kind) {
    putText(upTo: position)
    mode = .section(section, Opening(start: position, contents: contents, kind: kind, prose: prose))
    position = contents
  }

  /// Takes the bytes up to an offset as prose.
  private mutating func skip(to end: Int) {
    while position < end { step(window[position]) }
  }

  private mutating func readThinking(_ closers: [[UInt8]]) -> Bool {
    while position < window.end {
      let byte = window[position]
      switch matchInThinking(closers, byte) {
      case .closer(let length):
        putThinking(upTo: position)
        consume(upTo: position + length)
        mode = .text
        return true
      case .opener(let length):
        consume(upTo: position + length)
        continue
      case .marker:
        putThinking(upTo: position)
        mode = .text
        return true
      case .partial where !isFinished:
        putThinking(upTo: position)
        return false
      case .partial, .none: break
      }
      position += 1
      if prose.step(byte, window, at: position - 1) { settle(upTo: position, isThinking: true) }
    }
    putThinking(upTo: position)
    return false
  }

  private enum ThinkingMatch { case none, partial, marker, opener(Int), closer(Int) }

  private func matchInThinking(_ closers: [[UInt8]], _ byte: UInt8) -> ThinkingMatch {
    var result = ThinkingMatch.none
    for closer in closers where closer.first == byte {
      switch window.matches(closer, at: position) {
      case true?: return .closer(closer.count)
      case nil: result = .partial
      case false?: break
      }
    }
    // A model whose prompt opened the tag may open it again.
    let openers = prose.isBlankAfterMarkup ? grammar.thinkingOpeners : []
    for opener in openers where opener.first == byte {
      switch window.matches(opener, at: position) {
      case true?: return .opener(opener.count)
      case nil: result = .partial
      case false?: break
      }
    }
    for marker in grammar.thinkingEnds where marker.literal.first == byte && prose.admits(marker.condition) {
      switch window.matches(marker.literal, at: position) {
      case true?: return .marker
      case nil: result = .partial
      case false?: break
      }
    }
    return result
  }

  // MARK: Sections

  private mutating func readSection(_ section: any CallSection, _ opening: Opening) -> Bool {
    var section = section
    var events: [SectionEvent] = []
    var cursor = ByteCursor(
      window: window, end: window.end, isFinal: isFinished, isTruncated: isTruncated, tools: tools,
      limits: options.limits, position: position)
    let status = section.advance(&cursor, &events)
    position = cursor.position
    for event in events { apply(event) }
    switch status {
    case .more:
      precondition(!isFinished, "a section must decide at the end of the stream")
      mode = .section(section, opening)
      return false
    case .end:
      consume(upTo: position)
    case .thinking(let closers):
      consume(upTo: position)
      mode = .thinking(closers: closers)
    case .reject:
      reject(opening)
    }
    return true
  }

  private mutating func apply(_ event: SectionEvent) {
    switch event {
    case .started(let name):
      previewRest = nil
      outputs.append(.callStarted(index: nextIndex, name: name))
    case .arguments(let range):
      let start = previewRest?.lowerBound ?? range.lowerBound
      let end = window.characterBoundary(in: start..<range.upperBound)
      previewRest = end..<range.upperBound
      if start < end { outputs.append(.callArguments(index: nextIndex, delta: window.string(start..<end))) }
    case .argumentsText(let text):
      outputs.append(.callArguments(index: nextIndex, delta: text))
    case .call(let call, let end):
      outputs.append(.call(index: nextIndex, call))
      nextIndex += 1
      previewRest = nil
      consumeCharacters(upTo: end)
    case .consumed(let end):
      consumeCharacters(upTo: end)
    }
  }

  /// Takes what a section consumed so far as markup, without cutting a character.
  private mutating func consumeCharacters(upTo end: Int) {
    guard end > pending else { return }
    consume(upTo: window.characterBoundary(in: pending..<end), readingOnAt: position)
  }

  /// A section was no markup: its bytes are prose, in which other markers may stand.
  private mutating func reject(_ opening: Opening) {
    let failure = position
    // After calls the section stands at the end of the last one.
    let start = max(opening.start, pending)
    position = start
    if start == opening.start { prose = opening.prose }
    switch opening.kind {
    case .marker: break
    case .fence: prose.isInFence = true
    case .bare: if start == opening.start { prose.beginData(at: start) }
    }
    rereadBytes += failure - start
    // Reading again costs at most a constant factor: beyond that, what failed is prose as a whole.
    let isCheap = rereadBytes <= 8 * failure + 65536
    let certain = start == opening.start && opening.kind == .fence ? opening.contents : start + 1
    skip(to: isCheap ? min(certain, max(failure, start + 1), window.end) : max(failure, start))
  }

  // MARK: Output

  /// Puts out the prose before an offset but for the white space before it, which may turn out to be markup's.
  private mutating func putText(upTo offset: Int) {
    put(upTo: offset, isThinking: false)
  }

  private mutating func putThinking(upTo offset: Int) {
    put(upTo: offset, isThinking: true)
  }

  private mutating func put(upTo offset: Int, isThinking: Bool) {
    let isLast = isFinished && offset == window.end
    if isLast, prose.isBlankAfterMarkup {
      consume(upTo: offset)
    } else {
      settle(upTo: isLast ? offset : prose.blankStart, isThinking: isThinking, isLast: isLast)
    }
  }

  private mutating func settle(upTo offset: Int, isThinking: Bool, isLast: Bool = false) {
    guard offset > pending else { return }
    if prose.markupEnd == pending {
      // The white space that follows markup is prose only between text and text.
      prose.markupEnd = nil
      if isThinking || !hasText {
        let dropped = min(prose.contentStart ?? offset, offset)
        report(pending..<dropped)
        pending = dropped
        if prose.contentStart == nil { prose.markupEnd = dropped }
      }
    }
    let end = offset == window.end && !isLast ? window.characterBoundary(in: pending..<offset) : offset
    guard pending < end else { return }
    let text = window.string(pending..<end)
    outputs.append(isThinking ? .thinking(text) : .text(text))
    if !isThinking { hasText = true }
    pending = end
  }

  /// Takes everything before an offset as markup.
  private mutating func consume(upTo offset: Int) {
    consume(upTo: offset, readingOnAt: offset)
  }

  private mutating func consume(upTo offset: Int, readingOnAt next: Int) {
    report(pending..<offset)
    pending = offset
    position = next
    prose.markupEnded(at: offset)
  }

  private mutating func report(_ range: Range<Int>) {
    if options.reportsMarkup, !range.isEmpty { outputs.append(.markup(window.string(range))) }
  }
}
