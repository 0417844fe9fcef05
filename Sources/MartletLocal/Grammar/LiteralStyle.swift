/// How a model writes values: as JSON, or as the Python literals that models trained on code know best.
package enum LiteralStyle: Sendable, Hashable {
  case json, python

  var null: String { self == .json ? "null" : "None" }
  func bool(_ value: Bool) -> String {
    self == .json ? (value ? "true" : "false") : (value ? "True" : "False")
  }
}
