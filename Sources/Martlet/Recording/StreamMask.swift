/// A text that comes in pieces, masked as the whole would be. What may be the beginning of a secret is open until it is
/// clear what it is.
package struct StreamMask: Sendable {
  private let mask: SecretMask
  private var bytes: [UInt8] = []
  /// Where `bytes` begins in the whole.
  private var base = 0
  /// What is before it has been decided.
  private var decided = 0
  private var hasEnded = false
  /// Bytes before the open part that are kept, so that it is known what it follows.
  private static let context = 64

  package init(_ mask: SecretMask) { self.mask = mask }

  /// Adds a piece. Gives its place in the whole.
  package mutating func append(_ piece: some Collection<UInt8>) -> Range<Int> {
    let start = base + bytes.count
    bytes += piece
    return start..<start + piece.count
  }

  /// Nothing follows.
  package mutating func end() { hasEnded = true }

  /// Decides what can be decided.
  /// - Returns: what has to be written over, by its place in the whole, and where the open part begins.
  package mutating func settle() -> (edits: [SecretMask.Edit], open: Int) {
    let start = decided - base
    let open = hasEnded ? bytes.count : mask.openStart(in: bytes, from: start)
    let edits = mask.edits(in: bytes, from: start).compactMap { edit -> SecretMask.Edit? in
      let range = edit.range.lowerBound + base..<edit.range.upperBound + base
      guard range.lowerBound >= decided, edit.range.lowerBound < open else { return nil }
      return SecretMask.Edit(range: range, byte: edit.byte)
    }
    decided = base + open
    if open > 2 * Self.context {
      let dropped = open - Self.context
      bytes.removeFirst(dropped)
      base += dropped
    }
    return (edits, decided)
  }

  /// A piece at a place of the whole, with what of the edits falls on it.
  package static func apply(_ edits: [SecretMask.Edit], to piece: some Collection<UInt8>, at start: Int) -> [UInt8] {
    var result: [UInt8] = []
    var position = start
    var rest = piece[...]
    for edit in edits where edit.range.upperBound > position && edit.range.lowerBound < start + piece.count {
      let skipped = max(0, edit.range.lowerBound - position)
      result += rest.prefix(skipped)
      rest = rest.dropFirst(skipped)
      position += skipped
      if edit.range.lowerBound >= start { result.append(edit.byte) }
      let covered = min(edit.range.upperBound, start + piece.count) - position
      rest = rest.dropFirst(covered)
      position += covered
    }
    return result + rest
  }
}
