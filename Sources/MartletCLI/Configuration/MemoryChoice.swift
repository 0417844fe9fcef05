/// Where memories are kept, if they are: `--memory`, the setting `memory`.
enum MemoryChoice: Sendable, Hashable {
  /// In the usual places.
  case standard
  case off
  case file(String)
}

extension ValueKind where Value == MemoryChoice {
  static let memory = Self(expected: "a file's path, or true or false", completion: .file) { text in
    switch text {
    case "": nil
    case "true": .standard
    case "false": .off
    default: .file(text)
    }
  }
}

extension ValueKind where Value == [String] {
  /// Paths with commas between them.
  static let directories = Self(expected: "a directory's path", completion: .directory) { text in
    let paths = text.split(separator: ",").map { $0.trimmingSpaces() }.filter { !$0.isEmpty }
    return paths.isEmpty ? nil : paths
  }
}
