/// All nodes of a compiled schema.
struct SchemaProgram: Sendable {
  var nodes: [SchemaNode] = []
  /// For each resource, its `$dynamicAnchor`s that some `$dynamicRef` names.
  var dynamicAnchors: [[String: Int]] = []
  var root = 0

  /// Whether a node is the schema `false`.
  func isNever(_ index: Int) -> Bool {
    if case .never? = nodes[index].keywords.first { true } else { false }
  }
}
