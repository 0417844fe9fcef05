/// A URI template (RFC 6570), as far as addresses can be matched against it: `{name}`, and `{+name}` or `{name*}` for what
/// may hold slashes.
struct URITemplate: Sendable, Hashable {
  private enum Part: Sendable, Hashable {
    case text(String)
    case variable(name: String, takesSlashes: Bool)
  }

  private var parts: [Part] = []

  init(_ template: String) {
    var rest = template[...]
    while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
      if start > rest.startIndex { parts.append(.text(String(rest[..<start]))) }
      var name = rest[rest.index(after: start)..<end]
      let takesSlashes = name.hasPrefix("+") || name.hasSuffix("*")
      name = name.drop { "+#./;?&".contains($0) }
      if name.hasSuffix("*") { name = name.dropLast() }
      parts.append(.variable(name: String(name), takesSlashes: takesSlashes))
      rest = rest[rest.index(after: end)...]
    }
    if !rest.isEmpty { parts.append(.text(String(rest))) }
  }

  /// What the variables stand for in an address, percent-decoded; nil if it does not fit. Each stands for at least one
  /// character, and for as few as possible.
  func match(_ uri: String) -> [String: String]? {
    var values: [String: String] = [:]
    var rest = uri[...]
    for (index, part) in parts.enumerated() {
      switch part {
      case .text(let text):
        guard rest.hasPrefix(text) else { return nil }
        rest = rest.dropFirst(text.count)
      case .variable(let name, let takesSlashes):
        var end = rest.endIndex
        if index + 1 < parts.count, case .text(let next) = parts[index + 1] {
          guard !rest.isEmpty, let found = rest.dropFirst().firstRange(of: next) else { return nil }
          end = found.lowerBound
          // The last text must reach to the end.
          if index + 2 == parts.count {
            guard rest.hasSuffix(next), rest.count > next.count else { return nil }
            end = rest.index(rest.endIndex, offsetBy: -next.count)
          }
        }
        let value = rest[..<end]
        guard !value.isEmpty, takesSlashes || !value.contains("/") else { return nil }
        values[name] = Self.decoded(value)
        rest = rest[end...]
      }
    }
    return rest.isEmpty ? values : nil
  }

  /// A broken escape stays as it is.
  private static func decoded(_ text: Substring) -> String {
    guard text.contains("%") else { return String(text) }
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16), rest.first != UInt8(ascii: "+")
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
