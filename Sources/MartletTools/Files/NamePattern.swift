/// A pattern of one name: `*`, `?`, `[a-z]`, `[!a-z]`; a backslash takes the next character for itself.
struct NamePattern: Hashable, Sendable {
  private enum Item: Hashable {
    case scalar(Unicode.Scalar)
    case any
    case star
    case set([ClosedRange<Unicode.Scalar>], isNegated: Bool)
  }

  private var items: [Item] = []

  init(_ text: some StringProtocol) throws(GlobPattern.Malformed) {
    var rest = Array(text.unicodeScalars)[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case "*": if items.last != .star { items.append(.star) }
      case "?": items.append(.any)
      case "[": items.append(Self.set(&rest))
      case "\\": items.append(.scalar(rest.popFirst() ?? scalar))
      default: items.append(.scalar(scalar))
      }
    }
  }

  func matches(_ name: [Unicode.Scalar]) -> Bool {
    // When an item fails, the last star takes one more; earlier stars need no second thought.
    var (item, position) = (0, 0)
    var retry: (item: Int, position: Int)?
    while position < name.count {
      if item < items.count, items[item] == .star {
        retry = (item, position)
        item += 1
      } else if item < items.count, Self.matches(items[item], name[position]) {
        item += 1
        position += 1
      } else if let last = retry {
        retry = (last.item, last.position + 1)
        (item, position) = (last.item + 1, last.position + 1)
      } else {
        return false
      }
    }
    return items[item...].allSatisfy { $0 == .star }
  }

  private static func matches(_ item: Item, _ scalar: Unicode.Scalar) -> Bool {
    switch item {
    case .scalar(let wanted): wanted == scalar
    case .any: true
    case .star: false
    case .set(let ranges, let isNegated): ranges.contains { $0.contains(scalar) } != isNegated
    }
  }

  /// Reads a set after its "["; one that does not end is a "[" and no set.
  private static func set(_ rest: inout ArraySlice<Unicode.Scalar>) -> Item {
    var scalars = rest
    let isNegated = scalars.first == "!" || scalars.first == "^"
    if isNegated { scalars.removeFirst() }
    var ranges: [ClosedRange<Unicode.Scalar>] = []
    while let scalar = scalars.popFirst() {
      // A "]" that comes first is a member.
      if scalar == "]", !ranges.isEmpty {
        rest = scalars
        return .set(ranges, isNegated: isNegated)
      }
      let low = scalar == "\\" ? scalars.popFirst() ?? scalar : scalar
      if scalars.first == "-", let high = scalars.dropFirst().first, high != "]" {
        scalars.removeFirst(2)
        if low <= high { ranges.append(low...high) }
      } else {
        ranges.append(low...low)
      }
    }
    return .scalar("[")
  }
}
