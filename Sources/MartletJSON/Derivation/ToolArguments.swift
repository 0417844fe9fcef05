/// The arguments of a tool as a Swift type.
///
/// ```swift
/// struct Forecast: ToolArguments {
///   @Parameter("The city, in English") var city: String
///   @Parameter("How many days to look ahead", in: 1...14) var days: Int = 3
///   @Parameter("Temperature unit", oneOf: ["celsius", "fahrenheit"]) var unit: String?
/// }
/// ```
///
/// A value made by `init()` is the template: it holds the descriptions and what absent arguments get. A property with an
/// initial value may be absent from a call, `@Parameter` or not; one that is optional may be, too. The names are those
/// of the coding keys. Types inside may be `ToolArguments` themselves.
public protocol ToolArguments: Codable, Sendable {
  /// Makes the template. The compiler writes this where each property has `@Parameter`, an initial value or an optional
  /// type.
  init()
}

extension ToolArguments {
  /// The schema of these arguments, `{"type":"object","properties":{…},"required":[…],"additionalProperties":false}`.
  ///
  /// - Throws: `JSONSchemaError`, see `JSONSchema.derived(from:)`.
  public static func jsonSchema() throws -> JSONSchema { try JSONSchema.derived(from: Self.self) }

  /// Decodes arguments, giving absent ones their defaults.
  ///
  /// It takes the value as it is; for what models write, use `JSONSchema.coerce(_:)` and `validate(_:limit:)` before.
  /// Each call finds out anew what the arguments look like; for many calls use `argumentsDecoder()`.
  ///
  /// - Throws: `JSONSchemaError` with code `invalidArguments` and a message that a model can act on.
  public static func decode(from value: JSONValue) throws -> Self { try argumentsDecoder()(value) }

  /// A function that does what `decode(from:)` does, many times.
  ///
  /// - Throws: `JSONSchemaError`, see `JSONSchema.derived(from:)`.
  public static func argumentsDecoder() throws -> @Sendable (JSONValue) throws -> Self {
    let derived = try SchemaDeriver.derive(Self.self)
    return { value in
      do {
        return try derived.filled(value).decode(Self.self)
      } catch {
        let violations = try JSONSchema(derived: derived).validate(value, limit: 5)
        let message =
          violations.isEmpty ? DecodingText.message(of: error) : violations.map(\.message).joined(separator: "; ")
        throw JSONSchemaError(.invalidArguments, message, at: "", underlying: error)
      }
    }
  }
}
