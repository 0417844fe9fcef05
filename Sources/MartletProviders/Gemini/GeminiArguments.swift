import MartletJSON

/// Arguments that come in pieces (`partialArgs`): each sets the value at a path, or goes on with the text there.
struct GeminiArguments: Sendable {
  private(set) var value: JSONValue = .object([:])
  /// The path whose text goes on with the next piece for it.
  private var open: String?

  mutating func add(_ piece: JSONValue) {
    guard let path = piece["jsonPath"]?.stringValue, let steps = Self.steps(of: path) else { return }
    let continues = open == path
    open = piece["willContinue"] == true ? path : nil
    var new: JSONValue
    if let text = piece["stringValue"]?.stringValue {
      new = .string(text)
      if continues, let before = Self.get(value, steps[...])?.stringValue { new = .string(before + text) }
    } else if let number = piece["numberValue"], number.numberValue != nil {
      new = number
    } else if let flag = piece["boolValue"], flag.boolValue != nil {
      new = flag
    } else {
      new = .null
    }
    Self.set(&value, steps[...], new)
  }

  private enum Step { case key(String), index(Int) }

  /// `$.a.b[0]['c']` in steps; nil for anything else.
  private static func steps(of path: String) -> [Step]? {
    var rest = path.utf8[...]
    guard rest.popFirst() == UInt8(ascii: "$") else { return nil }
    var steps: [Step] = []
    while let first = rest.popFirst() {
      switch first {
      case UInt8(ascii: "."):
        let name = rest.prefix { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "[") }
        guard !name.isEmpty else { return nil }
        rest = rest.dropFirst(name.count)
        steps.append(.key(String(decoding: name, as: UTF8.self)))
      case UInt8(ascii: "["):
        if let quote = rest.first, quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"") {
          let name = rest.dropFirst().prefix { $0 != quote }
          rest = rest.dropFirst(name.count + 2)
          steps.append(.key(String(decoding: name, as: UTF8.self)))
        } else {
          let digits = rest.prefix { $0 != UInt8(ascii: "]") }
          // Indexes grow one by one; a wild one must not fill the memory.
          guard let index = Int(String(decoding: digits, as: UTF8.self)), (0..<100_000).contains(index) else {
            return nil
          }
          rest = rest.dropFirst(digits.count)
          steps.append(.index(index))
        }
        guard rest.popFirst() == UInt8(ascii: "]") else { return nil }
      default: return nil
      }
    }
    return steps.isEmpty || steps.count > 64 ? nil : steps
  }

  private static func get(_ value: JSONValue, _ steps: ArraySlice<Step>) -> JSONValue? {
    guard let step = steps.first else { return value }
    switch step {
    case .key(let key): return value[key].flatMap { get($0, steps.dropFirst()) }
    case .index(let index): return value[index].flatMap { get($0, steps.dropFirst()) }
    }
  }

  private static func set(_ value: inout JSONValue, _ steps: ArraySlice<Step>, _ new: JSONValue) {
    guard let step = steps.first else {
      value = new
      return
    }
    switch step {
    case .key(let key):
      var object = value.objectValue ?? [:]
      var member = object[key] ?? .null
      set(&member, steps.dropFirst(), new)
      object[key] = member
      value = .object(object)
    case .index(let index):
      var array = value.arrayValue ?? []
      guard index <= array.count + 1_000 else { return }
      while array.count <= index { array.append(.null) }
      set(&array[index], steps.dropFirst(), new)
      value = .array(array)
    }
  }
}
