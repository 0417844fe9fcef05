/// What a template says about its properties.
enum TemplateDefaults {
  /// The object with descriptions, bounds and defaults from the type's template.
  static func apply<T: ToolArguments>(
    _ type: T.Type, to object: DerivedObject, _ deriver: SchemaDeriver
  ) throws -> DerivedObject {
    var result = object
    let members = try TemplateEncoder.members(of: T())
    let defaults = try values(of: members)
    // A default such as the present moment differs each time; it still fills in, but a schema must stay the same.
    let again = try values(of: TemplateEncoder.members(of: T()))
    for (index, property) in object.properties.enumerated() {
      if let parameter = members[property.name] as? any DescribedParameter {
        result.properties[index].extras = try deriver.within(property.name) { try parameter.keywords() }
      }
      guard let value = defaults[property.name] else { continue }
      result.properties[index].isRequired = false
      if again[property.name] == value { result.properties[index].extras["default"] = value }
    }
    if again == defaults {
      result.defaults = { defaults }
    } else {
      result.defaults = { try values(of: TemplateEncoder.members(of: T())) }
    }
    return result
  }

  private static func values(of members: [String: any Encodable]) throws -> JSONObject {
    var result = JSONObject()
    for (name, member) in members {
      if let parameter = member as? any DescribedParameter {
        result[name] = try parameter.defaultValue()
      } else {
        let value = try json(member)
        if !value.isNull { result[name] = value }
      }
    }
    return result
  }

  private static func json(_ value: some Encodable) throws -> JSONValue { try JSONValue(encoding: value) }
}
