/// The schema of 2020-12 schemas, written here as one document: what keywords there are and what their values must be
/// (JSON Schema 2020-12 Core and Validation). Part of no program unless a `$ref` leads to it.
enum Metaschema {
  static let uri = "https://json-schema.org/draft/2020-12/schema"

  static let document: JSONValue = [
    "$id": .string(uri), "$schema": .string(uri), "$dynamicAnchor": "meta", "type": ["object", "boolean"],
    "properties": properties,
    "$defs": [
      "schemas": ["type": "array", "minItems": 1, "items": schema],
      "schemaMap": ["type": "object", "additionalProperties": schema],
      "strings": ["type": "array", "items": ["type": "string"], "uniqueItems": true],
      "count": ["type": "integer", "minimum": 0],
      "name": ["type": "string", "pattern": "^[A-Za-z_][-A-Za-z0-9._]*$"],
      "type": ["enum": ["array", "boolean", "integer", "null", "number", "object", "string"]],
    ],
  ]

  private static let schema: JSONValue = ["$dynamicRef": "#meta"]

  private static let properties: JSONValue = {
    let text: JSONValue = ["type": "string"]
    let number: JSONValue = ["type": "number"]
    let flag: JSONValue = ["type": "boolean"]
    let reference: JSONValue = ["type": "string", "format": "uri-reference"]
    let groups: [(JSONValue, [String])] = [
      (definition("schemas"), ["allOf", "anyOf", "oneOf", "prefixItems"]),
      (definition("schemaMap"), ["$defs", "definitions", "properties", "dependentSchemas"]),
      (
        schema,
        [
          "additionalProperties", "contains", "contentSchema", "else", "if", "items", "not", "propertyNames", "then",
          "unevaluatedItems", "unevaluatedProperties",
        ]
      ),
      (
        definition("count"),
        [
          "maxContains", "maxItems", "maxLength", "maxProperties", "minContains", "minItems", "minLength",
          "minProperties",
        ]
      ),
      (number, ["exclusiveMaximum", "exclusiveMinimum", "maximum", "minimum"]),
      (text, ["$comment", "contentEncoding", "contentMediaType", "description", "format", "title"]),
      (flag, ["deprecated", "readOnly", "uniqueItems", "writeOnly"]),
      (definition("name"), ["$anchor", "$dynamicAnchor"]),
      (reference, ["$ref", "$dynamicRef"]),
      (["type": "array"], ["enum", "examples"]),
      (definition("strings"), ["required"]),
    ]
    var properties: JSONObject = [
      "$id": ["type": "string", "format": "uri-reference", "pattern": "^[^#]*#?$"],
      "$schema": ["type": "string", "format": "uri"],
      "$vocabulary": ["type": "object", "additionalProperties": flag],
      "type": [
        "anyOf": [
          definition("type"), ["type": "array", "items": definition("type"), "minItems": 1, "uniqueItems": true],
        ]
      ],
      "multipleOf": ["type": "number", "exclusiveMinimum": 0],
      "pattern": ["type": "string", "format": "regex"],
      "patternProperties": [
        "type": "object", "additionalProperties": schema, "propertyNames": ["format": "regex"],
      ],
      "dependentRequired": ["type": "object", "additionalProperties": definition("strings")],
    ]
    for (value, names) in groups {
      for name in names { properties[name] = value }
    }
    return .object(properties)
  }()

  private static func definition(_ name: String) -> JSONValue { ["$ref": .string("#/$defs/" + name)] }
}
