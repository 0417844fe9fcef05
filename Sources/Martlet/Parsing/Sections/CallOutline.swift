import MartletJSON

/// The outline of a JSON value that holds tool calls as it streams in: a call, a list of calls, or an object with
/// `tool_calls`.
struct CallOutline: Sendable {
  enum Event: Sendable {
    case more
    /// The object of a call begins.
    case callBegan
    /// The call at hand has a name.
    case named(String)
    /// Its arguments begin with an object.
    case argumentsBegan
    case argumentsEnded
    /// The object of a call ended.
    case call(Range<Int>)
    /// A key that no call has.
    case unknownKey
    /// Something stands where a call should.
    case notACall
    /// The whole value ended.
    case done
    case broken
    case tooDeep
  }

  private enum Frame { case call, inner, list, arguments, other }

  private(set) var outline: JSONOutline
  let start: Int
  private var frames: [Frame] = []
  private var key: CallKey?
  /// Where the call at hand begins, while inside of one.
  private(set) var callStart: Int?
  private(set) var name: String?
  /// The name of the call that ended last.
  private(set) var endedName: String?
  /// The arguments of the call at hand: an object, not a string that holds one.
  private(set) var argumentsStart: Int?
  private(set) var argumentsEnd: Int?
  private(set) var hasArguments = false
  /// Whether calls are elements of the value rather than the value itself.
  private(set) var isList = false
  private(set) var isWrapper = false

  init(at start: Int, depthLimit: Int) {
    self.start = start
    outline = JSONOutline(at: start, depthLimit: depthLimit)
  }

  var position: Int { outline.position }

  mutating func next(_ window: ByteWindow, end: Int) -> Event {
    while true {
      if outline.isComplete { return .done }
      switch outline.next(window, end: end) {
      case .more: return .more
      case .broken: return .broken
      case .tooDeep: return .tooDeep
      case .key(let range):
        guard let top = frames.last, top == .call || top == .inner else { continue }
        key = range.count <= CallKey.maximumLength + 2 ? CallKey(unquoted(range, window)) : nil
        if key == nil { return .unknownKey }
      case .began(let kind, let at):
        if let event = began(kind, at) { return event }
      case .ended(let kind, let range):
        if let event = ended(kind, range, window) { return event }
      }
    }
  }

  private mutating func began(_ kind: JSONOutline.Kind, _ at: Int) -> Event? {
    let isContainer = kind == .object || kind == .array
    switch frames.last {
    case nil:
      switch kind {
      case .object:
        beginCall(at)
        return .callBegan
      case .array:
        isList = true
        frames.append(.list)
      default: return .notACall
      }
    case .list:
      if kind == .object {
        beginCall(at)
        return .callBegan
      }
      if isContainer { frames.append(.other) }
      return .notACall
    case .call, .inner:
      return beganMember(kind, at)
    case .arguments, .other:
      if isContainer { frames.append(.other) }
    }
    return nil
  }

  private mutating func beganMember(_ kind: JSONOutline.Kind, _ at: Int) -> Event? {
    switch (key, kind) {
    case (.calls, .array):
      isWrapper = true
      isList = true
      reset()
      frames.append(.list)
    case (.function, .object), (.call, .object), (.calls, .object):
      frames.append(.inner)
    case (.arguments, .object), (.arguments, .array):
      hasArguments = true
      frames.append(.arguments)
      guard kind == .object else { return nil }
      argumentsStart = at
      argumentsEnd = nil
      return .argumentsBegan
    case (.arguments, _):
      hasArguments = true
    case (_, .object), (_, .array):
      frames.append(.other)
    default:
      break
    }
    return nil
  }

  private mutating func ended(_ kind: JSONOutline.Kind, _ range: Range<Int>, _ window: ByteWindow) -> Event? {
    guard kind == .object || kind == .array else {
      guard kind == .string, let top = frames.last, top == .call || top == .inner, key == .name || key == .function,
        !(isWrapper && frames.count == 1)
      else { return nil }
      let text = unquoted(range, window)
      name = text
      return .named(text)
    }
    switch frames.popLast() {
    case .arguments:
      guard argumentsStart != nil, argumentsEnd == nil else { return nil }
      argumentsEnd = range.upperBound
      return .argumentsEnded
    case .call:
      if isWrapper, frames.isEmpty { return nil }
      endedName = name
      reset()
      return .call(range)
    default:
      return nil
    }
  }

  private mutating func beginCall(_ at: Int) {
    reset()
    callStart = at
    frames.append(.call)
  }

  private mutating func reset() {
    callStart = nil
    name = nil
    argumentsStart = nil
    argumentsEnd = nil
    hasArguments = false
    key = nil
  }

  /// The text of a string token. A rare name with escapes is read as JSON.
  private func unquoted(_ range: Range<Int>, _ window: ByteWindow) -> String {
    let bytes = window.slice(range)
    guard let first = bytes.first, first == ASCII.quote || first == ASCII.apostrophe else {
      return window.string(range)
    }
    guard bytes.contains(ASCII.backslash) else { return String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self) }
    do {
      return try JSONValue(parsing: bytes).stringValue ?? ""
    } catch {
      // Not a name then; the fault shows again when the whole call is read.
      return ""
    }
  }
}
