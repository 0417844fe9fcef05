/// Which calls a rule is about: the name of a tool, `*` standing for any letters (`shell`, `read_*`, `*`).
struct ToolRule: Sendable, Hashable {
  let pattern: String

  /// Nil unless it is made of what tool names are made of, and `*`.
  init?(_ pattern: String) {
    let isAllowed = pattern.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "*"):
        true
      default: false
      }
    }
    guard isAllowed, !pattern.isEmpty, pattern.utf8.count <= 64 else { return nil }
    self.pattern = pattern
  }

  func matches(_ name: String) -> Bool {
    // Greedy, with one place to go back to: linear times the number of stars.
    let (pattern, name) = (Array(pattern.utf8), Array(name.utf8))
    var (p, n) = (0, 0)
    var star: (p: Int, n: Int)?
    while n < name.count {
      if p < pattern.count, pattern[p] == UInt8(ascii: "*") {
        star = (p, n)
        p += 1
      } else if p < pattern.count, pattern[p] == name[n] {
        p += 1
        n += 1
      } else if let back = star {
        star = (back.p, back.n + 1)
        p = back.p + 1
        n = back.n + 1
      } else {
        return false
      }
    }
    return pattern[p...].allSatisfy { $0 == UInt8(ascii: "*") }
  }
}

extension ValueKind where Value == [ToolRule] {
  static let rules = Self(expected: "tool names, * standing for any letters (shell, read_*)") { text in
    let rules = text.split(separator: ",").map { ToolRule($0.trimmingSpaces()) }
    return rules.isEmpty || rules.contains(nil) ? nil : rules.compactMap { $0 }
  }
}
