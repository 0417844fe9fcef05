/// Where subschemas are (JSON Schema 2020-12 Core, section 10, and what older drafts had).
enum SchemaVocabulary {
  enum Shape {
    case one, list, map
    /// `items` of older drafts.
    case oneOrList
  }

  static let subschemas: [String: Shape] = [
    "$defs": .map, "definitions": .map, "properties": .map, "patternProperties": .map, "dependentSchemas": .map,
    "dependencies": .map, "items": .oneOrList, "prefixItems": .list, "allOf": .list, "anyOf": .list, "oneOf": .list,
    "additionalProperties": .one, "additionalItems": .one, "propertyNames": .one, "contains": .one, "not": .one,
    "if": .one, "then": .one, "else": .one, "unevaluatedItems": .one, "unevaluatedProperties": .one,
    "contentSchema": .one,
  ]
}
