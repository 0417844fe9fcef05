/// Why a schema document cannot be used, or none can be made from a type.
public struct JSONSchemaError: Error, Sendable {
  /// What kind of fault it is. More kinds may come.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Value: String {
      case invalidKeyword, invalidPattern, unresolvedReference, referenceLoop, tooLarge, underivable, invalidArguments
    }
    private let value: Value

    /// A keyword whose value has the wrong type or range, such as `"type": "strng"`.
    public static let invalidKeyword = Self(value: .invalidKeyword)
    /// A regular expression that is broken or uses what is not supported, such as a backreference.
    public static let invalidPattern = Self(value: .invalidPattern)
    /// A `$ref` to something that is not in the document. Nothing is ever fetched.
    public static let unresolvedReference = Self(value: .unresolvedReference)
    /// A `$ref` that leads back to itself without going into the value, so that checking would never end.
    public static let referenceLoop = Self(value: .referenceLoop)
    /// A schema nested too deeply, or with too many subschemas.
    public static let tooLarge = Self(value: .tooLarge)
    /// A Swift type whose JSON form cannot be found out by decoding it.
    public static let underivable = Self(value: .underivable)
    /// Arguments that do not fit their type.
    public static let invalidArguments = Self(value: .invalidArguments)

    public var description: String { value.rawValue }
  }

  /// What kind of fault it is.
  public let code: Code
  /// One sentence: the reason, and what to do where that is not plain.
  public let message: String
  /// A JSON Pointer to the place in the schema, or the dotted path of the property for `underivable`; empty for the root.
  public let location: String
  /// The error this one came from.
  public let underlying: (any Error)?

  init(_ code: Code, _ message: String, at location: String, underlying: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.location = location
    self.underlying = underlying
  }
}

extension JSONSchemaError: CustomStringConvertible {
  /// The message after its place, of which a deep schema's is cut.
  public var description: String {
    let place = location.utf8.count > 120 ? "…" + location.suffix(100) : location
    return place.isEmpty ? message : "\(place): \(message)"
  }
}
