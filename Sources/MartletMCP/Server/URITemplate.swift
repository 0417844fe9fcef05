/// A URI template (RFC 6570), as far as addresses can be matched against it: all operators, lists of variables, `*` and
/// `:n`.
///
/// What a variable of an operator with a mark of its own (`#`, `.`, `/`, `;`, `?`, `&`) stands for may be absent, with its
/// mark; others stand for at least one character. As servers commonly mean it, `{name*}` takes slashes like `{+name}`.
/// Parameters of a query may come in any order, and no others than those that are named.
struct URITemplate: Sendable, Hashable {
  struct Variable: Sendable, Hashable {
    let name: String
    var takesAll = false
    /// The most characters of its value.
    var limit: Int?
  }

  /// What stands for its variables by name, `name=value`.
  struct Named: Sendable, Hashable {
    /// Before the first.
    let mark: UInt8
    /// Before the others.
    let separator: UInt8
    var variables: [Variable]
  }

  /// What stands for its variables by their order.
  struct Ordered: Sendable, Hashable {
    /// Before the first, if any.
    let mark: UInt8?
    /// Before the others.
    let separator: UInt8
    let takesReserved: Bool
    let variables: [Variable]
  }

  enum Part: Sendable, Hashable {
    case text([UInt8])
    case ordered(Ordered)
    case named(Named)
  }

  /// Longer addresses fit nothing: a client must not make the server work much.
  static let lengthLimit = 8_192

  let parts: [Part]

  init(_ template: String) {
    var parts: [Part] = []
    var rest = template[...]
    while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
      if start > rest.startIndex { parts.append(.text(Array(rest[..<start].utf8))) }
      switch (Self.expression(rest[rest.index(after: start)..<end]), parts.last) {
      case (.named(let next), .named(var last)) where next.mark == UInt8(ascii: "&") && last.mark != UInt8(ascii: ";"):
        // One query, in whatever order.
        last.variables += next.variables
        parts[parts.count - 1] = .named(last)
      case (let part, _): parts.append(part)
      }
      rest = rest[rest.index(after: end)...]
    }
    if !rest.isEmpty { parts.append(.text(Array(rest.utf8))) }
    self.parts = parts
  }

  private static func expression(_ text: Substring) -> Part {
    let mark = text.utf8.first.flatMap { "+#./;?&".utf8.contains($0) ? $0 : nil }
    let variables = (mark == nil ? text : text.dropFirst()).split(separator: ",").map { text -> Variable in
      if text.hasSuffix("*") { return Variable(name: String(text.dropLast()), takesAll: true) }
      guard let colon = text.firstIndex(of: ":"), let limit = Int(text[text.index(after: colon)...]) else {
        return Variable(name: String(text))
      }
      return Variable(name: String(text[..<colon]), limit: min(limit, 9_999))
    }
    let comma = UInt8(ascii: ",")
    switch mark {
    case UInt8(ascii: "+"):
      return .ordered(Ordered(mark: nil, separator: comma, takesReserved: true, variables: variables))
    case UInt8(ascii: "#"):
      return .ordered(Ordered(mark: mark, separator: comma, takesReserved: true, variables: variables))
    case UInt8(ascii: "."), UInt8(ascii: "/"):
      return .ordered(Ordered(mark: mark, separator: mark ?? comma, takesReserved: false, variables: variables))
    case UInt8(ascii: ";"):
      return .named(Named(mark: UInt8(ascii: ";"), separator: UInt8(ascii: ";"), variables: variables))
    case UInt8(ascii: "?"), UInt8(ascii: "&"):
      return .named(Named(mark: mark ?? 0, separator: UInt8(ascii: "&"), variables: variables))
    default: return .ordered(Ordered(mark: nil, separator: comma, takesReserved: false, variables: variables))
    }
  }

  /// What the variables stand for in an address, percent-decoded; nil if it does not fit. Each stands for as little as
  /// possible, those before others first. Values of a list are joined by commas, segments of a path by slashes.
  func match(_ uri: String) -> [String: String]? {
    guard uri.utf8.count <= Self.lengthLimit else { return nil }
    var matcher = URITemplateMatcher(parts: parts, address: Array(uri.utf8))
    return matcher.match()
  }
}
