/// An array or object that is not closed yet.
struct PartialFrame: Sendable {
  let isObject: Bool
  private var elements: [JSONValue] = []
  private var object = JSONObject()
  /// The key whose value comes next.
  var key = ""
  /// The place of the value that is open inside; `nil` when none is open or what is open will be dropped.
  var slot: Int?

  init(isObject: Bool) {
    self.isObject = isObject
  }

  var hasKey: Bool { object[key] != nil }

  /// Makes a place for a value.
  mutating func reserve(_ duplicateKeys: JSONReader.Options.DuplicateKeys) {
    if isObject {
      let (position, isNew) = object.reserve(key)
      slot = isNew || duplicateKeys != .first ? position : nil
    } else {
      slot = elements.count
      elements.append(.null)
    }
  }

  /// Puts a value in the place made for it, or drops it.
  mutating func fill(_ value: JSONValue) {
    guard let slot else { return }
    if isObject { _ = object.exchange(value, at: slot) } else { elements[slot] = value }
  }

  /// Moves out what is open inside.
  mutating func takeChild() -> JSONValue? {
    guard let slot else { return nil }
    if isObject { return object.exchange(.null, at: slot) }
    let child = elements[slot]
    elements[slot] = .null
    return child
  }

  /// Moves out the array or object itself.
  mutating func takeValue() -> JSONValue {
    defer {
      elements = []
      object = JSONObject()
    }
    return isObject ? .object(object) : .array(elements)
  }

  mutating func putBack(_ value: JSONValue) {
    switch value {
    case .array(let value): elements = value
    case .object(let value): object = value
    default: break
    }
  }
}
