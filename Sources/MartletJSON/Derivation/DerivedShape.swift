/// What a type's JSON looks like.
indirect enum DerivedShape: Sendable {
  /// A finished document.
  case schema(JSONObject)
  case array(DerivedShape, isUnique: Bool)
  case tuple([DerivedShape])
  /// `keys` is the schema of the keys, if they are not just any.
  case map(DerivedShape, keys: JSONObject?)
  case object(DerivedObject)
  /// A type that holds itself.
  case reference(ObjectIdentifier)
}

/// A JSON object with known members.
struct DerivedObject: Sendable {
  struct Property: Sendable {
    var name: String
    var shape: DerivedShape
    var isRequired: Bool
    /// Keywords that come on top of the shape's own.
    var extras: JSONObject = [:]
  }

  var properties: [Property]
  /// Makes the values of members that may be absent, for types with a template.
  var defaults: (@Sendable () throws -> JSONObject)?
}
