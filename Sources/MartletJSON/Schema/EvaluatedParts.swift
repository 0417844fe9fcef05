/// Which members and items of one value some subschema has looked at, for `unevaluatedProperties` and
/// `unevaluatedItems`. Members count by position.
struct EvaluatedParts: Sendable {
  var hasAllMembers = false
  var members: Set<Int> = []
  var hasAllItems = false
  /// This many items from the first on.
  var prefix = 0
  /// Single items that `contains` matched.
  var items: Set<Int> = []

  mutating func formUnion(_ other: Self) {
    hasAllMembers = hasAllMembers || other.hasAllMembers
    members.formUnion(other.members)
    hasAllItems = hasAllItems || other.hasAllItems
    prefix = max(prefix, other.prefix)
    items.formUnion(other.items)
  }

  func includes(item index: Int) -> Bool { hasAllItems || index < prefix || items.contains(index) }

  func includes(member index: Int) -> Bool { hasAllMembers || members.contains(index) }
}
