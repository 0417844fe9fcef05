public import MartletJSON

/// A tool call that a model asks for.
public struct ToolCall: Sendable, Hashable, Identifiable, JSONConvertible {
  /// What the tool is called with.
  public enum Arguments: Sendable, Hashable {
    /// A JSON object.
    case object(JSONObject)
    /// What the model wrote instead of a JSON object, and why it could not be read. Such a call is never run.
    case unparsed(text: String, reason: String)
  }

  /// Unique within a session.
  public var id: String
  /// The tool's name, as the model wrote it.
  public var name: String
  /// What the tool is called with.
  public var arguments: Arguments

  /// A call with arguments.
  public init(id: String = ToolCall.makeId(), name: String, arguments: JSONObject = [:]) {
    self.init(id: id, name: name, arguments: .object(arguments))
  }

  /// A call with arguments that may not be readable.
  public init(id: String, name: String, arguments: Arguments) {
    self.id = id
    self.name = name
    self.arguments = arguments
  }

  /// A call whose arguments come as text. Empty text counts as no arguments (a call without parameters is often
  /// streamed so); anything but a JSON object is kept as unparsed.
  public init(id: String, name: String, argumentsText: String) {
    self.init(id: id, name: name, arguments: Arguments(text: argumentsText))
  }

  /// The arguments, or nil when they could not be read.
  public var argumentsObject: JSONObject? {
    if case .object(let object) = arguments { object } else { nil }
  }

  /// A new id: `call_` and 8 characters of `a…z0…9`.
  public static func makeId() -> String {
    var generator = SystemRandomNumberGenerator()
    return makeId(using: &generator)
  }

  /// A new id from a generator of one's own.
  public static func makeId(using generator: inout some RandomNumberGenerator) -> String {
    let alphabet: StaticString = "abcdefghijklmnopqrstuvwxyz0123456789"
    return String(unsafeUninitializedCapacity: 13) { buffer in
      var end = 0
      for byte in "call_".utf8 {
        buffer[end] = byte
        end += 1
      }
      var bits = generator.next() as UInt64
      while end < 13 {
        buffer[end] = alphabet.utf8Start[Int(bits % 36)]
        bits /= 36
        end += 1
      }
      return end
    }
  }

  public init(json: JSONValue) throws {
    try self.init(JSONFields(json))
  }

  init(_ fields: JSONFields) throws {
    id = try fields.string("id")
    name = try fields.string("name")
    if let text = try fields.stringIfPresent("arguments_text") {
      arguments = .unparsed(text: text, reason: try fields.stringIfPresent("arguments_error") ?? "not a JSON object")
    } else {
      arguments = .object(try fields.objectIfPresent("arguments") ?? [:])
    }
  }

  public var json: JSONValue {
    var object = JSONObject()
    write(into: &object)
    return .object(object)
  }

  func write(into object: inout JSONObject) {
    object["id"] = .string(id)
    object["name"] = .string(name)
    switch arguments {
    case .object(let arguments): object["arguments"] = .object(arguments)
    case .unparsed(let text, let reason):
      object["arguments_text"] = .string(text)
      object["arguments_error"] = .string(reason)
    }
  }
}

extension ToolCall.Arguments {
  /// Reads arguments that came as text: a JSON object, or nothing for no arguments; all else is unparsed.
  public init(text: String) {
    if text.utf8.allSatisfy({ $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }) {
      self = .object([:])
      return
    }
    do {
      switch try JSONValue(parsing: text) {
      case .object(let object): self = .object(object)
      default: self = .unparsed(text: text, reason: "the arguments must be a JSON object")
      }
    } catch {
      self = .unparsed(text: text, reason: error.message)
    }
  }
}
