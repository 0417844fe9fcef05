/// A JSON object: keys in the order they were written, found by their exact code points.
///
/// `==` and `hash(into:)` ignore the order. Keys compare byte by byte, as RFC 8259 section 8.3 asks for, not by the
/// canonical equivalence of `String`: a precomposed and a decomposed "é" are two keys. Objects of more than
/// a few keys carry a hash index, so lookup takes constant time.
public struct JSONObject: Sendable {
  struct Entry: Sendable {
    var key: String
    var value: JSONValue
  }

  private(set) var entries: [Entry]
  /// Empty for small objects.
  private var index: JSONKeyIndex

  /// An empty object.
  public init() {
    entries = []
    index = JSONKeyIndex()
  }

  /// An object of the given members. A repeated key keeps its first position and its last value.
  public init(_ members: some Sequence<(key: String, value: JSONValue)>) {
    self.init()
    for (key, value) in members { self[key] = value }
  }

  /// `entries` must not repeat a key.
  init(unique entries: [Entry]) {
    self.entries = entries
    index = JSONKeyIndex()
    index.rebuild(entries)
  }

  /// An object as read, where a repeated key keeps its first position and its first or last value.
  @inline(__always)
  init(_ entries: [Entry], mayRepeat: Bool, lastCounts: Bool) {
    self.entries = entries
    index = JSONKeyIndex()
    if mayRepeat || entries.count > JSONKeyIndex.threshold { settle(lastCounts: lastCounts) }
  }

  /// Builds the index and drops repeated keys.
  private mutating func settle(lastCounts: Bool) {
    if index.rebuild(entries) { return }
    let all = entries
    self = JSONObject()
    for entry in all {
      let (position, isNew) = reserve(entry.key)
      if isNew || lastCounts { entries[position].value = entry.value }
    }
  }

  /// Makes room for members to come.
  public mutating func reserveCapacity(_ count: Int) {
    entries.reserveCapacity(count)
  }

  /// The number of members.
  public var count: Int { entries.count }

  /// Whether there is no member.
  public var isEmpty: Bool { entries.isEmpty }

  /// The keys in order.
  public var keys: some RandomAccessCollection<String> & Sendable { entries.lazy.map(\.key) }

  /// The values in order of their keys.
  public var values: some RandomAccessCollection<JSONValue> & Sendable { entries.lazy.map(\.value) }

  /// The value of a key. Setting a key that is there keeps its position, a new key goes to the end, and `nil` removes.
  public subscript(key: String) -> JSONValue? {
    get {
      guard let position = index.position(of: key, in: entries) else { return nil }
      return entries[position].value
    }
    set {
      guard let newValue else {
        removeValue(forKey: key)
        return
      }
      if let position = index.position(of: key, in: entries) {
        entries[position].value = newValue
      } else {
        entries.append(Entry(key: key, value: newValue))
        index.appended(entries)
      }
    }
    _modify {
      let position = index.position(of: key, in: entries)
      var value = position.map { entries[$0].value }
      if let position { entries[position].value = .null }  // `value` is the only owner and changes in place
      defer {
        switch (position, value) {
        case (let position?, let value?): entries[position].value = value
        case (nil, let value?): self[key] = value
        case (_?, nil): removeValue(forKey: key)
        case (nil, nil): break
        }
      }
      yield &value
    }
  }

  /// Adds a member at the end; a key that is there already is given the value where it stands.
  public mutating func append(_ key: String, _ value: JSONValue) {
    self[key] = value
  }

  /// The members by the UTF-16 code units of their keys.
  var sortedEntries: [Entry] {
    let isSorted = zip(entries, entries.dropFirst()).allSatisfy { $0.key.precedesInUTF16($1.key) }
    return isSorted ? entries : entries.sorted { $0.key.precedesInUTF16($1.key) }
  }

  /// The position of a key, and whether it had to be added (with the value `null`, at the end).
  mutating func reserve(_ key: String) -> (position: Int, isNew: Bool) {
    if let position = index.position(of: key, in: entries) { return (position, false) }
    entries.append(Entry(key: key, value: .null))
    index.appended(entries)
    return (entries.count - 1, true)
  }

  /// Puts a value at a position and gives back what was there.
  mutating func exchange(_ value: JSONValue, at position: Int) -> JSONValue {
    let old = entries[position].value
    entries[position].value = value
    return old
  }

  /// Removes a member and returns its value. Takes time proportional to the number of members.
  @discardableResult
  public mutating func removeValue(forKey key: String) -> JSONValue? {
    guard let position = index.position(of: key, in: entries) else { return nil }
    let removed = entries.remove(at: position)
    index.rebuild(entries)
    return removed.value
  }

  /// Removes every member for which `shouldRemove` is true, in one pass.
  public mutating func removeAll<Failure: Error>(
    where shouldRemove: (_ key: String, _ value: JSONValue) throws(Failure) -> Bool
  ) throws(Failure) {
    var kept: [Entry] = []
    for entry in entries where try !shouldRemove(entry.key, entry.value) { kept.append(entry) }
    guard kept.count < entries.count else { return }
    self = JSONObject(unique: kept)
  }

  /// Sets the members of `other` over these; what is new goes to the end.
  public mutating func merge(_ other: JSONObject) {
    for entry in other.entries { self[entry.key] = entry.value }
  }
}

extension JSONObject: Sequence {
  /// The members in order.
  public struct Iterator: IteratorProtocol, Sendable {
    var base: IndexingIterator<[Entry]>

    public mutating func next() -> (key: String, value: JSONValue)? {
      guard let entry = base.next() else { return nil }
      return (entry.key, entry.value)
    }
  }

  public func makeIterator() -> Iterator {
    Iterator(base: entries.makeIterator())
  }

  public var underestimatedCount: Int { entries.count }
}

extension JSONObject: Hashable {
  public static func == (left: Self, right: Self) -> Bool {
    guard left.count == right.count else { return false }
    for (position, entry) in left.entries.enumerated() {
      // Mostly both have the same order.
      if right.entries[position].key.hasSameBytes(as: entry.key) {
        guard right.entries[position].value == entry.value else { return false }
      } else {
        guard right[entry.key] == entry.value else { return false }
      }
    }
    return true
  }

  public func hash(into hasher: inout Hasher) {
    // The order must not matter, so the members' own hashes are summed.
    var sum = 0
    for entry in entries {
      var member = Hasher()
      entry.key.hashBytes(into: &member)
      member.combine(entry.value)
      sum &+= member.finalize()
    }
    hasher.combine(count)
    hasher.combine(sum)
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// A repeated key keeps its first position and its last value.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self.init()
    for (key, value) in elements { self[key] = value }
  }
}

extension JSONObject: CustomStringConvertible {
  /// Compact JSON text.
  public var description: String { JSONValue.object(self).text() }
}
