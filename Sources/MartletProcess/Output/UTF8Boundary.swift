/// Where bytes may be cut without cutting a character in two.
package enum UTF8Boundary {
  /// How many bytes remain when a sequence that the end of `bytes` cuts short is left out.
  package static func completePrefix(of bytes: some BidirectionalCollection<UInt8>) -> Int {
    let count = bytes.count
    var index = bytes.endIndex
    for length in 1...4 {
      guard index > bytes.startIndex else { return count }
      index = bytes.index(before: index)
      let byte = bytes[index]
      if byte & 0xC0 == 0x80 { continue }
      let needed =
        switch byte {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: 1
        }
      return needed > length ? count - length : count
    }
    return count
  }

  /// How many continuation bytes (at most three) stand at the beginning.
  package static func continuationCount(at bytes: some Collection<UInt8>) -> Int {
    bytes.prefix(3).prefix { $0 & 0xC0 == 0x80 }.count
  }
}
