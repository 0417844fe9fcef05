/// What an option's value looks like: how it is read, and the words for what is expected.
struct ValueKind<Value: Sendable>: Sendable {
  /// "a whole number of at least 1": follows "takes".
  let expected: String
  let completion: ValueCompletion
  /// Nil for a text that is not as expected.
  let parse: @Sendable (String) -> Value?

  init(expected: String, completion: ValueCompletion = .nothing, parse: @escaping @Sendable (String) -> Value?) {
    self.expected = expected
    self.completion = completion
    self.parse = parse
  }
}

extension ValueKind where Value == String {
  static let text = Self(expected: "a text") { $0.isEmpty ? nil : $0 }
  static let file = Self(expected: "a file's path", completion: .file) { $0.isEmpty ? nil : $0 }
  static let directory = Self(expected: "a directory's path", completion: .directory) { $0.isEmpty ? nil : $0 }
}

extension ValueKind where Value == String {
  /// Slashes at the end do not count.
  static let url = Self(expected: "an http or https URL") { text in
    guard ["http://", "https://"].contains(where: { text.lowercased().hasPrefix($0) && text.count > $0.count }),
      text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { return nil }
    return String(text.reversed().drop { $0 == "/" }.reversed())
  }
}

extension ValueKind where Value == [String] {
  /// Names with commas between them.
  static let names = Self(expected: "names with commas between them") { text in
    let names = text.split(separator: ",").map { $0.trimmingSpaces() }
    return names.isEmpty || names.contains("") ? nil : names
  }
}

extension ValueKind where Value == Int {
  static func count(from least: Int) -> Self {
    Self(expected: "a whole number of at least \(least)") { text in
      guard let value = Int(text), value >= least else { return nil }
      return value
    }
  }
}

extension ValueKind where Value == Double {
  static func number(_ range: ClosedRange<Double>) -> Self {
    let most = range.upperBound.isFinite ? " and at most \(range.upperBound.shortText)" : ""
    return Self(expected: "a number of at least \(range.lowerBound.shortText)\(most)") { text in
      guard let value = Double(text), value.isFinite, range.contains(value) else { return nil }
      return value
    }
  }
}

extension ValueKind where Value == Duration {
  static let duration = Self(expected: "a time such as 90s, 5m or 1h30m") { DurationText.parse($0) }
}

extension ValueKind where Value == Bool {
  static let onOff = Self(expected: "on or off", completion: .choices(["on", "off"])) { text in
    switch text {
    case "on", "true": true
    case "off", "false": false
    default: nil
    }
  }
}

extension ValueKind where Value: RawRepresentable<String> & CaseIterable {
  /// One of an enumeration's words.
  static var choice: Self {
    let words = Value.allCases.map(\.rawValue)
    return Self(expected: "one of \(words.joined(separator: ", "))", completion: .choices(words)) {
      Value(rawValue: $0)
    }
  }
}

extension Double {
  /// Without a fraction where there is none.
  var shortText: String { self == rounded() && abs(self) < 1e15 ? "\(Int(self))" : "\(self)" }
}

extension StringProtocol {
  func trimmingSpaces() -> String {
    var rest = self[...]
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }
}
