/// Items of a JSON array, encoded, with the commas between: short ones stand together, so that a request of many messages
/// has few pieces; long ones are not copied.
struct EncodedItems: Sendable, Equatable {
  private static let pieceLimit = 64 << 10
  private static let comma = UInt8(ascii: ",")

  /// What a request sends, one after the other.
  private(set) var pieces: [[UInt8]] = []

  init(_ items: [[UInt8]] = []) { append(contentsOf: items) }

  var isEmpty: Bool { pieces.isEmpty }

  mutating func append(_ item: [UInt8]) {
    let last = pieces.count - 1
    if last < 0 {
      pieces.append(item)
    } else if pieces[last].count + 1 + item.count <= Self.pieceLimit {
      pieces[last].append(Self.comma)
      pieces[last] += item
    } else if item.count < Self.pieceLimit {
      pieces.append([Self.comma] + item)
    } else {
      pieces.append([Self.comma])
      pieces.append(item)
    }
  }

  mutating func append(contentsOf items: [[UInt8]]) { for item in items { append(item) } }

  func appending(_ items: [[UInt8]]) -> Self {
    var all = self
    all.append(contentsOf: items)
    return all
  }
}
