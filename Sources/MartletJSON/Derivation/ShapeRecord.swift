/// What one decoder was asked for.
final class ShapeRecord {
  enum Part {
    case shape(DerivedShape)
    /// A nested container, which is still being asked.
    case record(ShapeRecord)
  }

  struct Member {
    let name: String
    let part: Part
    let isRequired: Bool
  }

  private var members: [Member] = []
  private var single: DerivedShape?
  private var elements: [Part] = []
  private var isList = false
  /// Whether the type asked how many elements there are, as one that reads until the end does.
  var asksForEnd = false
  /// Whether the type asked which keys there are, as one with arbitrary keys does.
  var asksForKeys = false

  func add(_ name: String, _ part: Part, isRequired: Bool) {
    guard !members.contains(where: { $0.name == name }) else { return }
    members.append(Member(name: name, part: part, isRequired: isRequired))
  }

  func set(_ shape: DerivedShape) { single = shape }

  func openList() { isList = true }

  func append(_ part: Part) { elements.append(part) }

  var count: Int { elements.count }

  func shape(_ deriver: SchemaDeriver) throws -> DerivedShape {
    if let single { return single }
    if isList {
      let shapes = try elements.map { try shape(of: $0, deriver) }
      if asksForEnd || shapes.isEmpty { return .array(shapes.first ?? .schema([:]), isUnique: false) }
      return .tuple(shapes)
    }
    if asksForKeys { throw deriver.failure("its keys are known only at run time; conform it to JSONSchemaProviding") }
    return .object(
      DerivedObject(
        properties: try members.map {
          .init(name: $0.name, shape: try shape(of: $0.part, deriver), isRequired: $0.isRequired)
        }))
  }

  private func shape(of part: Part, _ deriver: SchemaDeriver) throws -> DerivedShape {
    switch part {
    case .shape(let shape): shape
    case .record(let record): try record.shape(deriver)
    }
  }
}
