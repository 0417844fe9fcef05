import CSpawn

/// A variable in the environment of a child that its descendants inherit, and by which those that left its group are
/// found again.
struct ChildMark {
  static let variable = "MARTLET_CHILD"

  let value: String

  /// A new mark. One that this process was itself given stays a part of it, so that whoever started us finds our
  /// children too.
  init(inherited: String?) {
    let own = String(UInt64.random(in: .min ... .max), radix: 36)
    self.own = own
    value = inherited.map { "\($0):\(own)" } ?? own
  }

  /// The part that is this child's alone.
  let own: String
}
