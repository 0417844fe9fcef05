/// The parts of a URI reference (RFC 3986), enough to resolve `$id` and `$ref` against each other.
struct URIReference {
  var scheme: Substring?
  var authority: Substring?
  var path: Substring
  var query: Substring?
  var fragment: Substring?

  /// Splits by the regular expression of RFC 3986, appendix B, which takes any text.
  init(_ text: String) {
    var rest = text[...]
    if let hash = rest.firstIndex(of: "#") {
      fragment = rest[rest.index(after: hash)...]
      rest = rest[..<hash]
    }
    if let mark = rest.firstIndex(of: "?") {
      query = rest[rest.index(after: mark)...]
      rest = rest[..<mark]
    }
    if let colon = rest.firstIndex(where: { $0 == ":" || $0 == "/" }), rest[colon] == ":", colon > rest.startIndex {
      scheme = rest[..<colon]
      rest = rest[rest.index(after: colon)...]
    }
    if rest.hasPrefix("//") {
      rest = rest.dropFirst(2)
      let end = rest.firstIndex(of: "/") ?? rest.endIndex
      authority = rest[..<end]
      rest = rest[end...]
    }
    path = rest
  }

  /// The reference seen from `base` (RFC 3986, section 5.2.2), without its fragment.
  func resolved(against base: URIReference) -> String {
    var target = self
    if scheme == nil {
      target.scheme = base.scheme
      if authority == nil {
        target.authority = base.authority
        if path.isEmpty {
          target.path = base.path
          target.query = query ?? base.query
        } else if path.first != "/" {
          target.path = merged(with: base)[...]
        }
      }
    }
    // Opaque paths such as those of urn: have no segments to remove.
    if target.path.contains("/") { target.path = Self.withoutDots(target.path)[...] }
    return target.withoutFragment
  }

  private func merged(with base: URIReference) -> String {
    if base.authority != nil, base.path.isEmpty { return "/" + path }
    guard let slash = base.path.lastIndex(of: "/") else { return String(path) }
    return String(base.path[...slash] + path)
  }

  private static func withoutDots(_ path: Substring) -> String {
    var kept: [Substring] = []
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    for (index, segment) in segments.enumerated() {
      let isLast = index == segments.count - 1
      if segment == ".." {
        if kept.count > 1 || kept.first?.isEmpty == false { kept.removeLast() }
        if isLast { kept.append("") }
      } else if segment == "." {
        if isLast { kept.append("") }
      } else {
        kept.append(segment)
      }
    }
    return kept.joined(separator: "/")
  }

  private var withoutFragment: String {
    var text = ""
    if let scheme { text += scheme + ":" }
    if let authority { text += "//" + authority }
    text += path
    if let query { text += "?" + query }
    return text
  }

  /// The fragment with its percent escapes decoded; nil if they are broken.
  var decodedFragment: String? {
    guard let fragment else { return "" }
    return PercentEscapes.decoded(fragment)
  }
}
