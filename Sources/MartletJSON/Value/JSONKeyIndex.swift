/// A hash index from keys to positions in an object's entries, empty while the object is small.
///
/// Open addressing with linear probing at a load of at most one half; the hash is seeded per process, so outsiders
/// cannot choose keys that collide.
struct JSONKeyIndex: Sendable {
  /// Up to this many keys a linear scan is at least as fast as hashing.
  static let threshold = 12

  /// Position plus one, or 0 for a free slot; a power of two of them.
  private var slots: [UInt32] = []

  func position(of key: String, in entries: [JSONObject.Entry]) -> Int? {
    if slots.isEmpty {
      return entries.firstIndex { $0.key.hasSameBytes(as: key) }
    }
    let mask = slots.count - 1
    var slot = Self.hash(key) & mask
    while slots[slot] != 0 {
      let position = Int(slots[slot]) - 1
      if entries[position].key.hasSameBytes(as: key) { return position }
      slot = (slot + 1) & mask
    }
    return nil
  }

  /// Takes in the last entry, whose key is new.
  mutating func appended(_ entries: [JSONObject.Entry]) {
    if entries.count <= Self.threshold { return }
    if entries.count * 2 > slots.count {
      rebuild(entries)
    } else {
      insert(entries.count - 1, entries)
    }
  }

  /// Indexes all entries afresh. Whether no key was repeated; if one was, the index is of no use.
  @discardableResult
  mutating func rebuild(_ entries: [JSONObject.Entry]) -> Bool {
    slots = []
    guard entries.count > Self.threshold else {
      for last in entries.indices.dropFirst() {
        let key = entries[last].key
        if entries[..<last].contains(where: { $0.key.hasSameBytes(as: key) }) { return false }
      }
      return true
    }
    var size = 64
    while size < entries.count * 4 { size *= 2 }
    slots = Array(repeating: 0, count: size)
    return entries.indices.allSatisfy { insert($0, entries) }
  }

  /// Whether the key was new.
  @discardableResult
  private mutating func insert(_ position: Int, _ entries: [JSONObject.Entry]) -> Bool {
    let mask = slots.count - 1
    var slot = Self.hash(entries[position].key) & mask
    while slots[slot] != 0 {
      if entries[Int(slots[slot]) - 1].key.hasSameBytes(as: entries[position].key) { return false }
      slot = (slot + 1) & mask
    }
    slots[slot] = UInt32(position + 1)
    return true
  }

  private static func hash(_ key: String) -> Int {
    var hasher = Hasher()
    key.hashBytes(into: &hasher)
    return hasher.finalize()
  }
}
