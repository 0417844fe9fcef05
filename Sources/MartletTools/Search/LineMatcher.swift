import MartletJSON

/// Finds a pattern in lines: a plain text by its bytes, anything else by the linear-time engine of `Pattern`.
struct LineMatcher: Sendable {
  private enum Search {
    case bytes([UInt8])
    case pattern(Pattern)
  }

  private let search: Search

  /// - Throws: `FileError` when the pattern is no regular expression that the engine knows.
  init(_ pattern: String) throws(FileError) {
    let special = Array("\\^$.|?*+()[]{}".utf8)
    if !pattern.utf8.contains(where: special.contains) {
      search = .bytes(Array(pattern.utf8))
      return
    }
    do {
      search = .pattern(try Pattern(pattern))
    } catch {
      throw FileError(
        code: .invalidPattern, message: "\"\(pattern)\" is not a regular expression that can be searched for: \(error)")
    }
  }

  func matches(_ line: ArraySlice<UInt8>) -> Bool {
    switch search {
    case .bytes(let needle): line.holds(needle)
    case .pattern(let pattern): pattern.matches(String(decoding: line, as: UTF8.self)) ?? false
    }
  }
}

extension ArraySlice<UInt8> {
  /// Whether the bytes hold others, by the first byte and then the rest.
  fileprivate func holds(_ needle: [UInt8]) -> Bool {
    guard let first = needle.first else { return true }
    guard needle.count <= count else { return false }
    return withUnsafeBufferPointer { bytes in
      needle.withUnsafeBufferPointer { needle in
        var start = 0
        let last = bytes.count - needle.count
        while start <= last {
          guard let found = bytes[start...last].firstIndex(of: first) else { return false }
          var offset = 1
          while offset < needle.count, bytes[found + offset] == needle[offset] { offset += 1 }
          if offset == needle.count { return true }
          start = found + 1
        }
        return false
      }
    }
  }
}
