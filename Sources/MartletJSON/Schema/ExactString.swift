/// A dictionary key compared by code points, as JSON's keys are; `String` would also take canonically equivalent ones.
struct ExactString: Hashable, Sendable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (left: Self, right: Self) -> Bool { left.text.hasSameBytes(as: right.text) }

  func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}
