/// Reads a JSON document that arrives in pieces, and shows what is known of its value at any time.
///
/// Made for tool arguments that a model streams: bytes may be split anywhere, inside a character, an escape, a number
/// or a literal. Nothing is read twice, so the work is linear in the document as a whole, and `value` costs nothing.
///
/// ```swift
/// var arguments = PartialJSON()
/// try arguments.append(#"{"city":"Os"#)
/// arguments.value  // {"city":"Os"}
/// try arguments.append(#"lo","days":1"#)
/// arguments.value  // {"city":"Oslo"}
/// try arguments.append("4}")
/// try arguments.finish()  // {"city":"Oslo","days":14}
/// ```
///
/// Values and errors are exactly those of `JSONReader`, however the document is split.
public struct PartialJSON: Sendable {
  /// What may come next, when no token is open.
  private enum Expectation: Sendable {
    case value, valueOrEnd, key, keyOrEnd, colon, commaOrEnd, nothing
  }

  private enum Token: Sendable {
    case none, mark, string, number, literal
  }

  private let options: JSONReader.Options
  private var expectation = Expectation.value
  private var token = Token.none
  private var string = PartialString()
  private var number = PartialNumber()
  private var literal = PartialLiteral()

  /// The arrays and objects that are open, outermost first. Between two calls of `append` what they hold is moved
  /// into `root`, and back again in the next: only pointers move, unless a caller has kept an earlier value, which
  /// then gets its own copy.
  private var frames: [PartialFrame] = []
  private var root: JSONValue?

  private var place = JSONTextPosition()
  /// Where the open key and the open escape or character began, once they cross into a later piece.
  private var keyStart: JSONError.Position?
  private var characterStart: JSONError.Position?
  private var keyOffset = 0
  private var failure: JSONError?

  /// An empty document, to be read with the given choices.
  public init(options: JSONReader.Options = .init()) {
    self.options = options
  }

  /// What is known of the value: strings as far as they have come, without numbers, literals and keys that are not
  /// whole yet. `nil` before anything can be shown. After an error, what was known before it.
  public var value: JSONValue? { root }

  /// Whether a whole value has been read. A number alone is only whole after `finish()`.
  public var isComplete: Bool { expectation == .nothing && failure == nil }

  /// The number of bytes appended.
  public var count: Int { place.offset }

  /// Reads on. After an error every later call throws the same error.
  public mutating func append(_ bytes: some Sequence<UInt8>) throws(JSONError) {
    let done: Void? = bytes.withContiguousStorageIfAvailable { read($0) }
    if done == nil { Array(bytes).withUnsafeBufferPointer { read($0) } }
    if let failure { throw failure }
  }

  /// Reads on. After an error every later call throws the same error.
  public mutating func append(_ text: some StringProtocol) throws(JSONError) {
    try append(text.utf8)
  }

  /// Says that nothing will follow, and returns the whole value; throws when the document is cut off.
  @discardableResult
  public mutating func finish() throws(JSONError) -> JSONValue {
    if failure == nil {
      do throws(JSONFault) {
        try end()
      } catch {
        fail(error, UnsafeBufferPointer(start: nil, count: 0))
      }
    }
    if let failure { throw failure }
    return root ?? .null
  }

  private mutating func read(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard failure == nil, !bytes.isEmpty else { return }
    takeApart()
    do throws(JSONFault) {
      try consume(bytes)
      putTogether()
      rememberStarts(bytes)
      place.advance(over: bytes[...])
    } catch {
      putTogether()
      fail(error, bytes)
    }
  }
}

// MARK: - Grammar

extension PartialJSON {
  private mutating func consume(_ bytes: UnsafeBufferPointer<UInt8>) throws(JSONFault) {
    var index = 0
    while index < bytes.count {
      switch token {
      case .string:
        if try string.consume(bytes, &index, at: place.offset, options) { try endString() }
      case .number:
        if let value = try number.consume(bytes, &index, at: place.offset) { endScalar(.number(value)) }
      case .literal:
        if let value = try literal.consume(bytes, &index, at: place.offset) { endScalar(value) }
      case .mark:
        try byteOrderMark(bytes[index], place.offset + index)
        index += 1
      case .none:
        try structure(bytes[index], place.offset + index)
        // A number or literal begins with this byte; its token takes it.
        if token != .number && token != .literal { index += 1 }
      }
    }
  }

  private mutating func structure(_ byte: UInt8, _ offset: Int) throws(JSONFault) {
    switch (byte, expectation) {
    case (0x20, _), (0x0a, _), (0x0d, _), (0x09, _): break
    case (_, .nothing): throw JSONFault(.trailingBytes, offset)
    case (UInt8(ascii: "\""), .key), (UInt8(ascii: "\""), .keyOrEnd):
      token = .string
      keyOffset = offset
      keyStart = nil
      string = PartialString(isKey: true)
    case (UInt8(ascii: "}"), .keyOrEnd), (UInt8(ascii: "]"), .valueOrEnd): endContainer()
    case (UInt8(ascii: ":"), .colon): expectation = .value
    case (UInt8(ascii: ","), .commaOrEnd): expectation = isInObject ? .key : .value
    case (UInt8(ascii: "}"), .commaOrEnd) where isInObject: endContainer()
    case (UInt8(ascii: "]"), .commaOrEnd) where !isInObject: endContainer()
    case (_, .value), (_, .valueOrEnd): try beginValue(byte, offset)
    default: throw JSONFault(.unexpectedByte, offset)
    }
  }

  private mutating func beginValue(_ byte: UInt8, _ offset: Int) throws(JSONFault) {
    switch byte {
    case UInt8(ascii: "\""):
      reserve()
      token = .string
      string = PartialString(isKey: false)
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      guard frames.count < options.depthLimit else { throw JSONFault(.tooDeep, offset) }
      reserve()
      let isObject = byte == UInt8(ascii: "{")
      frames.append(PartialFrame(isObject: isObject))
      expectation = isObject ? .keyOrEnd : .valueOrEnd
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      token = .number
      number = PartialNumber()
    case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
      token = .literal
      literal = PartialLiteral(first: byte)
    case 0xef where offset == 0: token = .mark
    default: throw JSONFault(.unexpectedByte, offset)
    }
  }

  private mutating func byteOrderMark(_ byte: UInt8, _ offset: Int) throws(JSONFault) {
    guard byte == (offset == 1 ? 0xbb : 0xbf) else { throw JSONFault(.unexpectedByte, 0) }
    guard offset == 2 else { return }
    guard options.byteOrderMark == .skip else { throw JSONFault(.byteOrderMark, 0) }
    token = .none
  }

  private mutating func endString() throws(JSONFault) {
    token = .none
    guard string.isKey else {
      fill(.string(string.takeText()))
      return
    }
    let frame = frames.count - 1
    frames[frame].key = string.takeText()
    if options.duplicateKeys == .error, frames[frame].hasKey { throw JSONFault(.duplicateKey, keyOffset) }
    expectation = .colon
  }

  private mutating func endScalar(_ value: JSONValue) {
    token = .none
    reserve()
    fill(value)
  }

  private mutating func endContainer() {
    var frame = frames.removeLast()
    fill(frame.takeValue())
  }

  private mutating func end() throws(JSONFault) {
    let offset = place.offset
    switch token {
    case .mark: throw JSONFault(.unexpectedByte, 0)
    case .string: throw string.endFault(at: offset, options)
    case .number where frames.isEmpty:
      guard let value = number.whole else { throw JSONFault(.unexpectedEnd, offset) }
      endScalar(.number(value))
    default: break
    }
    guard expectation == .nothing else { throw JSONFault(.unexpectedEnd, offset) }
  }
}

// MARK: - Places of values

extension PartialJSON {
  private var isInObject: Bool { frames.last?.isObject ?? false }

  /// Makes a place for the value that begins here.
  private mutating func reserve() {
    if !frames.isEmpty { frames[frames.count - 1].reserve(options.duplicateKeys) }
  }

  /// Puts a whole value in its place.
  private mutating func fill(_ value: JSONValue) {
    if frames.isEmpty {
      root = value
      expectation = .nothing
    } else {
      frames[frames.count - 1].fill(value)
      frames[frames.count - 1].slot = nil
      expectation = .commaOrEnd
    }
  }

  /// The open string, if it is a value.
  private var hasOpenString: Bool { token == .string && !string.isKey }

  /// Moves everything that is open into `root`.
  private mutating func putTogether() {
    guard hasOpenString || !frames.isEmpty else { return }
    var child: JSONValue?
    if hasOpenString, frames.last.map({ $0.slot != nil }) ?? true { child = .string(string.takeText()) }
    for level in frames.indices.reversed() {
      if let child { frames[level].fill(child) }
      // What a repeated key says is dropped where the first value counts: it has no place.
      let hasPlace = level == 0 || frames[level - 1].slot != nil
      child = hasPlace ? frames[level].takeValue() : nil
    }
    root = child
  }

  /// Moves everything that is open out of `root` again.
  private mutating func takeApart() {
    guard hasOpenString || !frames.isEmpty else { return }
    var child = root
    root = nil
    for level in frames.indices {
      if let child { frames[level].putBack(child) }
      child = frames[level].takeChild()
    }
    if hasOpenString, case .string(let text)? = child {
      child = nil
      string.putBack(text)
    }
  }
}

// MARK: - Places in the text

extension PartialJSON {
  /// Before the piece goes away, finds the line and column of what began in it and is still open.
  private mutating func rememberStarts(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard token == .string else { return }
    if string.isKey, keyOffset >= place.offset { keyStart = position(keyOffset, bytes) }
    if let start = string.characterStart, start >= place.offset { characterStart = position(start, bytes) }
  }

  private func position(_ offset: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> JSONError.Position {
    var place = place
    place.advance(over: bytes[..<min(offset - place.offset, bytes.count)])
    return place.position
  }

  /// The place of a fault in an earlier piece. From the remembered one it can only be some escapes away.
  private func start(of fault: JSONFault) -> JSONError.Position {
    let start = (fault.code == .duplicateKey ? keyStart : characterStart) ?? place.position
    let distance = fault.offset - start.offset
    return JSONError.Position(offset: fault.offset, line: start.line, column: start.column + distance)
  }

  private mutating func fail(_ fault: JSONFault, _ bytes: UnsafeBufferPointer<UInt8>) {
    let index = fault.offset - place.offset
    let position =
      if index >= 0 {
        position(fault.offset, bytes)
      } else if fault.offset == 0 {
        JSONTextPosition().position
      } else {
        start(of: fault)
      }
    let found = index >= 0 && index < bytes.count ? bytes[index] : nil
    failure = JSONError(code: fault.code, message: fault.message(found: found), position: position)
  }
}
