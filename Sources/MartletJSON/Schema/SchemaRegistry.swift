/// A place in one of the documents a schema is made of.
struct SchemaPlace: Hashable, Sendable {
  var document: Int
  /// A JSON Pointer from the document's root.
  var pointer: String

  func child(_ tokens: String...) -> SchemaPlace {
    SchemaPlace(document: document, pointer: tokens.reduce(pointer) { $0 + "/" + JSONPointer.escaped($1) })
  }
}

/// The documents of a schema, and what their `$id`s and anchors name.
struct SchemaRegistry {
  /// What one `$id` covers.
  struct Resource {
    var uri: String
    var place: SchemaPlace
    var dialect: SchemaDialect
    /// False where the resource's metaschema leaves the validation vocabulary out.
    var validates = true
    var metaschema: String?
    var anchors: [String: SchemaPlace] = [:]
    var dynamicAnchors: [String: SchemaPlace] = [:]
  }

  /// Far deeper than hand-written schemas go, and safe on the stack of any thread.
  static let maximumDepth = 128
  /// The anchor that stands for 2019-09's `$recursiveAnchor`; no anchor can be spelt like this.
  static let recursiveAnchor = "$recursive"

  private(set) var documents: [(root: JSONValue, uri: String)] = []
  private(set) var resources: [Resource] = []
  private var byURI: [String: Int] = [:]
  private var byPlace: [SchemaPlace: Int] = [:]

  /// Takes in a document under a URI and finds the resources and anchors in it.
  mutating func add(_ root: JSONValue, uri: String, dialect: SchemaDialect) throws(JSONSchemaError) {
    let document = documents.count
    documents.append((root, uri))
    let dialect = root["$schema"]?.stringValue.flatMap(SchemaDialect.init(uri:)) ?? dialect
    let place = SchemaPlace(document: document, pointer: "")
    let resource = addResource(uri: uri, place: place, dialect: dialect)
    try scan(root, at: place, resource: resource, depth: 0)
  }

  // MARK: Looking up

  func resource(uri: String) -> Int? { byURI[uri] }

  /// The resource a place is in.
  func resource(of place: SchemaPlace) -> Int {
    var pointer = place.pointer[...]
    while true {
      if let resource = byPlace[SchemaPlace(document: place.document, pointer: String(pointer))] { return resource }
      guard let slash = pointer.lastIndex(of: "/") else { return 0 }
      pointer = pointer[..<slash]
    }
  }

  func value(at place: SchemaPlace) -> JSONValue? {
    JSONPointer.value(at: place.pointer, in: documents[place.document].root)
  }

  /// A place as people read it.
  func describe(_ place: SchemaPlace) -> String {
    place.document == 0 ? place.pointer : documents[place.document].uri + "#" + place.pointer
  }

  // MARK: Finding names

  private mutating func addResource(uri: String, place: SchemaPlace, dialect: SchemaDialect) -> Int {
    let index = resources.count
    resources.append(Resource(uri: uri, place: place, dialect: dialect))
    if byURI[uri] == nil { byURI[uri] = index }
    byPlace[place] = index
    return index
  }

  private mutating func scan(
    _ schema: JSONValue, at place: SchemaPlace, resource outer: Int, depth: Int
  ) throws(JSONSchemaError) {
    guard case .object(let object) = schema else { return }
    guard depth < Self.maximumDepth else {
      throw JSONSchemaError(.tooLarge, "subschemas are nested more than \(Self.maximumDepth) deep", at: describe(place))
    }
    let resource = try names(of: object, at: place, outer: outer)
    for (key, value) in object {
      switch SchemaVocabulary.subschemas[key] {
      case .one: try scan(value, at: place.child(key), resource: resource, depth: depth + 1)
      case .oneOrList, .list:
        try scan(value, at: place.child(key), resource: resource, depth: depth + 1)
        for (index, item) in (value.arrayValue ?? []).enumerated() {
          try scan(item, at: place.child(key, "\(index)"), resource: resource, depth: depth + 1)
        }
      case .map:
        for (name, item) in value.objectValue ?? [:] {
          try scan(item, at: place.child(key, name), resource: resource, depth: depth + 1)
        }
      case nil: break
      }
    }
  }

  /// Records `$id` and anchors; returns the resource the schema is in.
  private mutating func names(
    of object: JSONObject, at place: SchemaPlace, outer: Int
  ) throws(JSONSchemaError) -> Int {
    var resource = outer
    let dialect = object["$schema"]?.stringValue.flatMap(SchemaDialect.init(uri:)) ?? resources[outer].dialect
    if dialect.referenceStandsAlone, object["$ref"] != nil, !place.pointer.isEmpty { return resource }
    if let identifier = try string(dialect.idKeyword, in: object, at: place) {
      let reference = URIReference(identifier)
      let fragment = reference.fragment ?? ""
      if !fragment.isEmpty, dialect > .draft7 {
        throw JSONSchemaError(
          .invalidKeyword, "`$id` must not have a fragment; use `$anchor`", at: describe(place.child("$id")))
      }
      if identifier != "#" + fragment {
        let uri = reference.resolved(against: URIReference(resources[outer].uri))
        if byPlace[place] == nil {
          resource = addResource(uri: uri, place: place, dialect: dialect)
        } else {
          // The root: it keeps the URI it was added under and gets this one too.
          resources[resource].uri = uri
          byURI[uri] = resource
        }
      }
      if !fragment.isEmpty { resources[resource].anchors[String(fragment)] = place }
    }
    if let anchor = try string("$anchor", in: object, at: place) { resources[resource].anchors[anchor] = place }
    if let anchor = try string("$dynamicAnchor", in: object, at: place) {
      resources[resource].anchors[anchor] = place
      resources[resource].dynamicAnchors[anchor] = place
    }
    if dialect == .draft2019, object["$recursiveAnchor"] == true {
      resources[resource].dynamicAnchors[Self.recursiveAnchor] = place
    }
    if place == resources[resource].place { resources[resource].metaschema = object["$schema"]?.stringValue }
    return resource
  }

  /// Lets each resource's metaschema, where it is one of the documents, say whether validation keywords count.
  mutating func settleVocabularies() {
    for index in resources.indices {
      guard let metaschema = resources[index].metaschema else { continue }
      resources[index].validates = validates(metaschema)
    }
  }

  /// Whether the metaschema, if it is one of the documents, has the validation vocabulary.
  private func validates(_ metaschema: String) -> Bool {
    guard let resource = byURI[metaschema], let vocabulary = value(at: resources[resource].place)?["$vocabulary"] else {
      return true
    }
    return vocabulary.objectValue?.keys.contains { $0.hasSuffix("/vocab/validation") } ?? true
  }

  private func string(
    _ key: String, in object: JSONObject, at place: SchemaPlace
  ) throws(JSONSchemaError) -> String? {
    guard let value = object[key] else { return nil }
    guard let text = value.stringValue else {
      throw JSONSchemaError(.invalidKeyword, "`\(key)` must be a string", at: describe(place.child(key)))
    }
    return text
  }
}
