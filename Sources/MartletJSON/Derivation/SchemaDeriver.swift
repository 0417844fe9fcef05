/// Finds out what a type's JSON looks like by having it decode itself from a decoder that writes down what is asked of
/// it and answers with sample values.
final class SchemaDeriver {
  /// The keys and indexes that lead to what is being decoded.
  private(set) var path: [String] = []
  private var open: [ObjectIdentifier] = []
  private var recursive: Set<ObjectIdentifier> = []
  private var finished: [ObjectIdentifier: (shape: DerivedShape, value: any Decodable)] = [:]
  private var definitions: [ObjectIdentifier: (name: String, shape: DerivedShape)] = [:]

  static func derive<T: Decodable>(_ type: T.Type) throws -> DerivedSchema {
    let deriver = SchemaDeriver()
    let shape = try deriver.shape(of: type)
    let root = ObjectIdentifier(type)
    // A root that holds itself was moved to the definitions; the document starts with it all the same.
    if case .reference(root) = shape, let definition = deriver.definitions[root] {
      return DerivedSchema(shape: definition.shape, root: root, definitions: deriver.definitions)
    }
    return DerivedSchema(shape: shape, root: root, definitions: deriver.definitions)
  }

  func shape<T: Decodable>(of type: T.Type) throws -> DerivedShape {
    try record(type, needsValue: false).shape
  }

  /// The shape, and a sample value if one is needed or to be had.
  func record<T: Decodable>(_ type: T.Type, needsValue: Bool) throws -> (shape: DerivedShape, value: T?) {
    if let known = KnownType.of(type) { return (.schema(known.schema), known.sample as? T) }
    if let container = type as? any DerivableContainer.Type {
      return (try container.shape(self), try container.sample(self) as? T)
    }
    if let provider = type as? any JSONSchemaProviding.Type {
      return try provided(provider.jsonSchema, type, needsValue: needsValue)
    }
    if let choices = try ChoiceShape.of(type) { return (.schema(choices.schema), choices.sample as? T) }
    return try structure(type, needsValue: needsValue)
  }

  /// Runs `body` one step further down.
  func within<R>(_ step: String, _ body: () throws -> R) throws -> R {
    path.append(step)
    defer { path.removeLast() }
    return try body()
  }

  func failure(_ message: String, underlying: (any Error)? = nil) -> JSONSchemaError {
    JSONSchemaError(.underivable, message, at: path.joined(separator: "."), underlying: underlying)
  }

  private func provided<T: Decodable>(
    _ schema: JSONValue, _ type: T.Type, needsValue: Bool
  ) throws -> (DerivedShape, T?) {
    let document: JSONObject
    switch schema {
    case .object(let object): document = object
    case .bool(let admitsAll): document = admitsAll ? [:] : ["not": [:]]
    default: throw failure("the `jsonSchema` of \(type) is neither an object nor true or false")
    }
    guard needsValue else { return (.schema(document), nil) }
    do {
      return (.schema(document), try SampleValue.make(for: schema).decode(type))
    } catch {
      throw failure(
        "\(type) does not decode from a sample of its `jsonSchema`; give that an `examples` list", underlying: error)
    }
  }

  private func structure<T: Decodable>(_ type: T.Type, needsValue: Bool) throws -> (DerivedShape, T?) {
    let id = ObjectIdentifier(type)
    if let known = finished[id] { return (known.shape, known.value as? T) }
    if open.contains(id) {
      if needsValue { throw failure("\(type) holds itself without an array or optional in between") }
      recursive.insert(id)
      return (.reference(id), nil)
    }
    open.append(id)
    defer { open.removeLast() }
    let record = ShapeRecord()
    let value = try decoded(type, into: record)
    var shape = try record.shape(self)
    if let arguments = type as? any ToolArguments.Type, case .object(let object) = shape {
      shape = .object(try TemplateDefaults.apply(arguments, to: object, self))
    }
    if recursive.contains(id) {
      definitions[id] = (name(for: type), shape)
      shape = .reference(id)
    }
    finished[id] = (shape, value)
    return (shape, value)
  }

  private func decoded<T: Decodable>(_ type: T.Type, into record: ShapeRecord) throws -> T {
    do {
      return try T(from: RecordingDecoder(deriver: self, record: record))
    } catch let error as JSONSchemaError {
      throw error
    } catch {
      let hint =
        type is any RawRepresentable.Type
        ? "make it CaseIterable, so that its values are known" : "conform it to JSONSchemaProviding"
      throw failure("\(type) refuses sample values when it is decoded; \(hint)", underlying: error)
    }
  }

  /// The name of a type among the definitions: letters, digits and underscores, unique.
  private func name<T>(for type: T.Type) -> String {
    let plain = String(describing: type).map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
    let base = String(plain)
    let taken = Set(definitions.values.map(\.name))
    guard taken.contains(base) else { return base }
    return (2...).lazy.map { "\(base)\($0)" }.first { !taken.contains($0) } ?? base
  }
}
