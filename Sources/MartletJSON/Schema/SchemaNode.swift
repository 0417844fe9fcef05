/// A compiled subschema. Nodes refer to each other by their index in the program.
struct SchemaNode: Sendable {
  /// In the order they are checked: `unevaluated…` last, because it needs what the others saw.
  var keywords: [SchemaKeyword] = []
  /// A JSON Pointer to the subschema; with the URI of its document before a `#` where that is not the main one.
  var location: String
  /// The schema resource (what one `$id` covers) it is part of.
  var resource: Int
  var needsEvaluatedParts = false
  /// The types a value may have as far as can be told without looking into it.
  var types = JSONTypes.all
  /// Whether some `$ref` leads here.
  var isReferenceTarget = false
}

/// One compiled assertion or applicator.
enum SchemaKeyword: Sendable {
  case never
  case types(JSONTypes)
  case enumeration([JSONValue])
  case constant(JSONValue)
  case bound(NumberBound)
  case multipleOf(JSONNumber, JSONDecimal)
  case minLength(Int)
  case maxLength(Int)
  case pattern(Pattern)
  case format(StringFormat)
  case minItems(Int)
  case maxItems(Int)
  case uniqueItems
  case items(prefix: [Int], rest: Int?, restKeyword: String)
  case contains(Int, min: Int, max: Int?)
  case minProperties(Int)
  case maxProperties(Int)
  case required([String])
  case dependentRequired([(key: String, needs: [String])], keyword: String)
  case members(SchemaMembers)
  case propertyNames(Int)
  case dependentSchemas([(key: String, node: Int)])
  case reference(Int)
  case dynamicReference(anchor: String, fallback: Int)
  case allOf([Int])
  case anyOf([Int])
  case oneOf([Int])
  /// The text shows a model what is ruled out.
  case not(Int, text: String)
  case conditional(if: Int, then: Int?, else: Int?)
  case unevaluatedItems(Int)
  case unevaluatedProperties(Int)

  /// The subschemas that apply to the same value, not to a part of it.
  var inPlace: [Int] {
    switch self {
    case .reference(let node), .dynamicReference(_, let node), .not(let node, _): [node]
    case .allOf(let nodes), .anyOf(let nodes), .oneOf(let nodes): nodes
    case .conditional(let condition, let then, let otherwise): [condition] + [then, otherwise].compactMap(\.self)
    case .dependentSchemas(let entries): entries.map(\.node)
    default: []
    }
  }
}

/// `minimum`, `maximum` and their exclusive forms.
struct NumberBound: Sendable {
  let number: JSONNumber
  let decimal: JSONDecimal
  let isUpper: Bool
  let isExclusive: Bool

  var keyword: String {
    switch (isUpper, isExclusive) {
    case (true, false): "maximum"
    case (true, true): "exclusiveMaximum"
    case (false, false): "minimum"
    case (false, true): "exclusiveMinimum"
    }
  }

  func admits(_ value: JSONNumber) -> Bool {
    if case .integer(let value) = value.storage, case .integer(let limit) = number.storage {
      return isUpper ? isExclusive ? value < limit : value <= limit : isExclusive ? value > limit : value >= limit
    }
    let value = JSONDecimal(value.text)
    return isExclusive
      ? isUpper ? value < decimal : decimal < value
      : isUpper ? !(decimal < value) : !(value < decimal)
  }
}

/// `properties`, `patternProperties` and `additionalProperties`, which go over an object's members together.
struct SchemaMembers: Sendable {
  var properties: [ExactString: Int] = [:]
  /// The keys of `properties` in the order of the document.
  var names: [String] = []
  var patterns: [(pattern: Pattern, node: Int)] = []
  var additional: Int?
}
