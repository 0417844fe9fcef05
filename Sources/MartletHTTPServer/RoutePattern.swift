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
