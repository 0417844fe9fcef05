/// Where the reader stands in the prose of a turn: what decides whether a marker counts, and whose the white space is.
struct Prose: Sendable {
  enum Place: Sendable {
    /// After nothing but white space since the turn or the last markup began.
    case start
    /// At the first byte of a line.
    case lineHead
    /// After the white space a line begins with.
    case indented
    case inside
  }

  /// The most white space that is held back: more is prose whatever follows.
  static let blankLimit = 256
  /// How deep JSON that is no call is followed.
  private static let dataDepth = 512

  private(set) var place = Place.start
  private var previous: UInt8 = 0
  /// Where the white space before the next byte begins.
  private(set) var blankStart = 0
  /// Where the last markup ended, while nothing that follows was put out.
  var markupEnd: Int?
  /// The first byte after it that is not white space.
  private(set) var contentStart: Int?
  /// Whether a Markdown fence is open.
  var isInFence = false
  /// JSON that turned out to be no call, while inside of it: what it holds is no call either.
  private var data: JSONOutline?

  /// Whether there was nothing but white space since the last markup.
  var isBlankAfterMarkup: Bool { markupEnd != nil && contentStart == nil }

  /// Whether JSON that begins here may be a call.
  var mayBeginCall: Bool { data == nil && !isInFence && (place == .start || place == .lineHead) }

  func admits(_ condition: Marker.Condition) -> Bool {
    if condition.isEmpty { return true }
    if condition.contains(.start), place != .start { return false }
    if condition.contains(.lineHead), place == .inside { return false }
    guard condition.contains(.notQuoted) else { return true }
    return previous != ASCII.backtick && previous != ASCII.quote && previous != ASCII.apostrophe
  }

  /// Takes the byte at `offset` as prose. Returns whether the white space up to here is too long to hold back.
  mutating func step(_ byte: UInt8, _ window: ByteWindow, at offset: Int) -> Bool {
    previous = byte
    if data != nil { followData(window, end: offset + 1) }
    guard byte.isWhitespace else {
      place = .inside
      blankStart = offset + 1
      if markupEnd != nil, contentStart == nil { contentStart = offset }
      return false
    }
    if place != .start {
      if byte == ASCII.newline {
        place = .lineHead
      } else if place == .lineHead {
        place = .indented
      }
    }
    guard offset + 1 - blankStart >= Self.blankLimit else { return false }
    blankStart = offset + 1
    return true
  }

  /// The bytes before an offset were markup.
  mutating func markupEnded(at offset: Int) {
    place = .start
    previous = 0
    blankStart = offset
    markupEnd = offset
    contentStart = nil
    data = nil
  }

  /// The JSON value that begins at an offset is no call.
  mutating func beginData(at offset: Int) {
    data = JSONOutline(at: offset, depthLimit: Self.dataDepth)
  }

  private mutating func followData(_ window: ByteWindow, end: Int) {
    while var outline = data {
      let event = outline.next(window, end: end)
      data = outline.isComplete ? nil : outline
      switch event {
      case .more: return
      case .broken, .tooDeep: data = nil
      default: continue
      }
    }
  }
}
