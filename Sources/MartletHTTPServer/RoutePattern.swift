import MartletHTTP

/// Matching of paths.
enum RoutePattern {
  enum Segment: Hashable {
    case text(String)
    case parameter(String)
    case rest(String)
  }

  static func segments(_ pattern: String) -> [Segment] {
    pattern.split(separator: "/").map { segment in
      guard segment.hasPrefix("{"), segment.hasSuffix("}") else { return .text(String(segment)) }
      let name = segment.dropFirst().dropLast()
      return name.hasSuffix("...") ? .rest(String(name.dropLast(3))) : .parameter(String(name))
    }
  }

  /// The parameters of a path that fits, or `nil`. A slash at the end makes no difference.
  static func match(_ segments: [Segment], _ path: [String]) -> [String: String]? {
    var parameters: [String: String] = [:]
    for (index, segment) in segments.enumerated() {
      guard index < path.count else { return nil }
      switch segment {
      case .text(let text): guard path[index] == text else { return nil }
      case .parameter(let name): parameters[name] = path[index]
      case .rest(let name):
        parameters[name] = path[index...].joined(separator: "/")
        return parameters
      }
    }
    return path.count == segments.count ? parameters : nil
  }
}

/// The target of a request, cut into its parts.
struct RequestTarget {
  /// Percent-decoded segments; `nil` if one is not valid UTF-8, holds a NUL, or is `..`.
  let path: [String]?
  let query: [(name: String, value: String)]

  init(_ target: String) {
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let segments = parts[0].split(separator: "/").map { Self.decoded($0, plusIsSpace: false) }
    let isSound = segments.allSatisfy { $0 != nil && $0 != ".." && $0 != "." && $0?.utf8.contains(0) != true }
    path = isSound ? segments.compactMap(\.self) : nil
    query = (parts.count > 1 ? parts[1] : "").split(separator: "&").map { field in
      let pair = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let value = pair.count > 1 ? pair[1] : ""
      // What is no valid escape in a query stays as it is, as browsers do.
      return (
        Self.decoded(pair[0], plusIsSpace: true) ?? String(pair[0]),
        Self.decoded(value, plusIsSpace: true) ?? String(value)
      )
    }
  }

  /// `nil` for a broken escape or bytes that are no UTF-8.
  private static func decoded(_ text: Substring, plusIsSpace: Bool) -> String? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%") {
        guard rest.count >= 2, let high = hexValue(rest.removeFirst()), let low = hexValue(rest.removeFirst()) else {
          return nil
        }
        bytes.append(high << 4 | low)
      } else {
        bytes.append(plusIsSpace && byte == UInt8(ascii: "+") ? 0x20 : byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func hexValue(_ digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit - 0x30
    case 0x41...0x46: digit - 0x41 + 10
    case 0x61...0x66: digit - 0x61 + 10
    default: nil
    }
  }
}
