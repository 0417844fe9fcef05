/// A text in which `*` stands for anything.
struct RulePattern: Sendable, Hashable {
  enum Element: Sendable, Hashable {
    case byte(UInt8)
    case any
  }

  var elements: [Element]

  init(elements: [Element]) { self.elements = elements }

  init(literal text: String) { elements = text.utf8.map { .byte($0) } }

  /// - Parameter rule: the rule it is part of, as shown in messages.
  init(_ bytes: ArraySlice<UInt8>, of rule: String) throws(PermissionRuleError) {
    elements = []
    var rest = bytes
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "*"): if elements.last != .any { elements.append(.any) }
      case UInt8(ascii: "\\"):
        guard let next = rest.popFirst() else {
          throw PermissionRuleError("\(rule) ends with a backslash, which needs something after it")
        }
        elements.append(.byte(next))
      case 0: throw PermissionRuleError("\(rule) has a zero byte in it")
      default: elements.append(.byte(byte))
      }
    }
  }

  /// A text as it stands in a rule that means exactly this text.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text.unicodeScalars {
      if "\\*()".unicodeScalars.contains(character) { escaped += "\\" }
      escaped.unicodeScalars.append(character)
    }
    return escaped
  }

  var hasWildcard: Bool { elements.contains(.any) }

  /// Whether the whole text fits.
  /// - Parameter ignoringCase: whether ASCII letters may differ in case, as names of files and programs may on some systems.
  func matches(_ text: some Sequence<UInt8>, ignoringCase: Bool = false) -> Bool {
    // Greedy, with one place to go back to: linear times the number of stars.
    let text = Array(text)
    var (p, n) = (0, 0)
    var star: (p: Int, n: Int)?
    while n < text.count {
      if p < elements.count, elements[p] == .any {
        star = (p, n)
        p += 1
      } else if p < elements.count, case .byte(let byte) = elements[p],
        byte == text[n] || ignoringCase && byte.lowercasedASCII == text[n].lowercasedASCII
      {
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
    return elements[p...].allSatisfy { $0 == .any }
  }

  /// Comparisons of one byte that `meets` makes, about.
  func steps(toMeet other: [Element]) -> Int {
    let count = other.contains(.any) ? elements.count : elements.count { $0 == .any }
    let (steps, overflow) = (count + 1).multipliedReportingOverflow(by: other.count + 1)
    return overflow ? .max / 2 : steps
  }

  /// Whether some text fits both this pattern and another one, the case of ASCII letters aside.
  func meets(_ other: [Element]) -> Bool {
    if !other.contains(.any) {
      return matches(other.lazy.compactMap { if case .byte(let byte) = $0 { byte } else { nil } }, ignoringCase: true)
    }
    // One row for each beginning of this pattern: which beginnings of the other one meet it.
    let unknown = other.prefix { $0 == .any }.count
    var row = (0...other.count).map { $0 <= unknown }
    for element in elements {
      var next = [Bool](repeating: false, count: row.count)
      next[0] = element == .any && row[0]
      for (index, theirs) in other.enumerated() {
        switch (element, theirs) {
        case (.any, _), (_, .any): next[index + 1] = row[index + 1] || next[index]
        case (.byte(let one), .byte(let two)):
          next[index + 1] = row[index] && one.lowercasedASCII == two.lowercasedASCII
        }
      }
      row = next
    }
    return row[other.count]
  }
}

extension UInt8 {
  var lowercasedASCII: UInt8 { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self }
}
