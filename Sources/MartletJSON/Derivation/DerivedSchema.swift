/// The shape of a type with those of all types that hold themselves.
struct DerivedSchema: Sendable {
  let shape: DerivedShape
  /// The root type, if it holds itself: references to it go to the document's root.
  let root: ObjectIdentifier
  let definitions: [ObjectIdentifier: (name: String, shape: DerivedShape)]

  var document: JSONValue {
    var document = keywords(of: shape)
    let named = definitions.filter { $0.key != root }.values.sorted { $0.name < $1.name }
    if !named.isEmpty {
      document["$defs"] = .object(JSONObject(named.map { (key: $0.name, value: .object(keywords(of: $0.shape))) }))
    }
    return .object(document)
  }

  private func keywords(of shape: DerivedShape) -> JSONObject {
    switch shape {
    case .schema(let document): return document
    case .array(let element, let isUnique):
      var result: JSONObject = ["type": "array", "items": .object(keywords(of: element))]
      if isUnique { result["uniqueItems"] = true }
      return result
    case .tuple(let elements):
      let count = JSONValue(integerLiteral: Int64(elements.count))
      let items = elements.map { JSONValue.object(keywords(of: $0)) }
      return ["type": "array", "prefixItems": .array(items), "items": false, "minItems": count]
    case .map(let value, let keys):
      var result: JSONObject = ["type": "object", "additionalProperties": .object(keywords(of: value))]
      if let keys { result["propertyNames"] = .object(keys) }
      return result
    case .object(let object): return keywords(of: object)
    case .reference(let type):
      return ["$ref": .string(type == root ? "#" : "#/$defs/\(definitions[type]?.name ?? "")")]
    }
  }

  private func keywords(of object: DerivedObject) -> JSONObject {
    var properties = JSONObject()
    for property in object.properties {
      var schema = keywords(of: property.shape)
      for (key, value) in property.extras { schema[key] = value }
      properties[property.name] = .object(schema)
    }
    var result: JSONObject = ["type": "object", "properties": .object(properties)]
    let required = object.properties.filter(\.isRequired).map { JSONValue.string($0.name) }
    if !required.isEmpty { result["required"] = .array(required) }
    result["additionalProperties"] = false
    return result
  }

  /// The value with the members that are absent and have a default.
  func filled(_ value: JSONValue) throws -> JSONValue { try filled(value, shape) }

  private func filled(_ value: JSONValue, _ shape: DerivedShape) throws -> JSONValue {
    switch (shape, value) {
    case (.reference(let type), _):
      return try definitions[type].map { try filled(value, $0.shape) } ?? value
    case (.array(let element, _), .array(let items)):
      return .array(try items.map { try filled($0, element) })
    case (.tuple(let elements), .array(let items)):
      return .array(try zip(items, elements).map { try filled($0, $1) } + items.dropFirst(elements.count))
    case (.map(let member, _), .object(let object)):
      return .object(JSONObject(try object.map { (key: $0.key, value: try filled($0.value, member)) }))
    case (.object(let shape), .object(var object)):
      var defaults: JSONObject?
      for property in shape.properties {
        if let value = object[property.name] {
          object[property.name] = try filled(value, property.shape)
        } else if !property.isRequired, let template = shape.defaults {
          if defaults == nil { defaults = try template() }
          object[property.name] = defaults?[property.name]
        }
      }
      return .object(object)
    default: return value
    }
  }
}
