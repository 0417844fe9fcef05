/// An argument of a tool: a value with what a model should know about it.
///
/// ```swift
/// @Parameter("The city, in English", examples: ["Oslo"]) var city: String          // required
/// @Parameter("How many days to look ahead", in: 1...14) var days: Int = 3          // default 3
/// @Parameter("Temperature unit", oneOf: ["celsius", "fahrenheit"]) var unit: String?
/// @Parameter("First day", format: .date) var start: Date?                          // 2026-11-30
/// @Parameter("A word to look for", length: 1...80, pattern: "^[a-z]+$") var word: String
/// @Parameter("Lines to read", count: 1...10) var lines: [Int]
/// ```
///
/// It is coded as the bare value, by any `Encoder` and `Decoder`; a `Date` as an RFC 3339 text, read with or without
/// a time. Reading a required argument that was never set is a programmer's error and traps, so a `ToolArguments` value
/// should come from `decode(from:)` or be filled in.
@propertyWrapper
public struct Parameter<Value: Codable & Sendable>: Sendable {
  /// Nil until a value is set or decoded; an optional argument starts as its own nil.
  private(set) var stored: Value?
  /// What the argument means.
  let text: String
  /// Keywords such as `minimum` and `pattern`.
  let rules: JSONObject
  let allowed: [Value]
  let examples: [Value]
  /// Whether an absent argument gets the value of the template.
  let hasDefault: Bool

  init(
    value: Value?, text: String, rules: JSONObject = [:], allowed: [Value] = [], examples: [Value] = [],
    hasDefault: Bool
  ) {
    stored = value ?? NilValue.of(Value.self)
    self.text = text
    self.rules = rules
    self.allowed = allowed
    self.examples = examples
    self.hasDefault = hasDefault
  }

  /// The argument. Traps if it is required and was never set.
  public var wrappedValue: Value {
    get {
      guard let stored else { preconditionFailure("the argument \"\(text)\" is read but was never given a value") }
      return stored
    }
    set { stored = newValue }
  }

  /// An argument that a call must have, or an optional one.
  /// - Parameters:
  ///   - description: what it means; the model reads this.
  ///   - allowed: the only values it may have; any if empty.
  ///   - examples: values to show the model.
  public init(_ description: String, oneOf allowed: [Value] = [], examples: [Value] = []) {
    self.init(value: nil, text: description, allowed: allowed, examples: examples, hasDefault: false)
  }

  /// An argument with a default.
  /// - Parameters:
  ///   - wrappedValue: what an absent argument gets.
  ///   - description: what it means; the model reads this.
  ///   - allowed: the only values it may have; any if empty.
  ///   - examples: values to show the model.
  public init(wrappedValue: Value, _ description: String, oneOf allowed: [Value] = [], examples: [Value] = []) {
    self.init(value: wrappedValue, text: description, allowed: allowed, examples: examples, hasDefault: true)
  }
}

extension Parameter: Equatable where Value: Equatable {
  /// Whether the values are equal; descriptions and bounds do not count.
  public static func == (left: Self, right: Self) -> Bool { left.stored == right.stored }
}

extension Parameter: Hashable where Value: Hashable {
  public func hash(into hasher: inout Hasher) { hasher.combine(stored) }
}
