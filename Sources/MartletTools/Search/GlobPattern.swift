import MartletJSON

/// A pattern for paths: `*` and `?` within a part, `**` across parts, `[a-z]`, `{a,b}`.
struct GlobPattern: Sendable {
  private let pattern: Pattern
  /// Whether the pattern is for a name alone, wherever the file is.
  private let matchesName: Bool

  /// - Throws: `FileError` when brackets or braces do not close.
  init(_ glob: String) throws(FileError) {
    var glob = glob
    while glob.hasPrefix("./") { glob.removeFirst(2) }
    matchesName = !glob.contains("/")
    do {
      pattern = try Pattern("^" + Self.expression(Array(glob)) + "$")
    } catch {
      throw FileError(
        code: .invalidPattern, message: "\"\(glob)\" is not a pattern for paths: use forms like **/*.swift")
    }
  }

  /// Whether a path from the root fits.
  func matches(_ path: String) -> Bool {
    let text = matchesName ? path.split(separator: "/").last.map(String.init) ?? path : path
    return pattern.matches(text) ?? false
  }

  private static func expression(_ glob: [Character]) -> String {
    var expression = ""
    var depth = 0
    var index = 0
    while index < glob.count {
      let character = glob[index]
      index += 1
      switch character {
      case "*":
        if index < glob.count, glob[index] == "*" {
          while index < glob.count, glob[index] == "*" { index += 1 }
          if index < glob.count, glob[index] == "/" {
            index += 1
            expression += "(?:.*/)?"
          } else {
            expression += ".*"
          }
        } else {
          expression += "[^/]*"
        }
      case "?": expression += "[^/]"
      case "{":
        depth += 1
        expression += "(?:"
      case "}" where depth > 0:
        depth -= 1
        expression += ")"
      case "," where depth > 0: expression += "|"
      case "[":
        expression += "["
        if index < glob.count, glob[index] == "!" || glob[index] == "^" {
          expression += "^"
          index += 1
        }
        while index < glob.count, glob[index] != "]" {
          if glob[index] == "\\" || glob[index] == "[" { expression += "\\" }
          expression.append(glob[index])
          index += 1
        }
        if index < glob.count {
          expression += "]"
          index += 1
        }
      case ".", "(", ")", "+", "|", "^", "$", "\\", "}", "]":
        expression += "\\"
        expression.append(character)
      default: expression.append(character)
      }
    }
    return expression
  }
}
