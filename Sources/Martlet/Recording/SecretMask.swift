public import MartletJSON

/// Makes secrets unreadable: those that it is told, and what has the shape of a key (`SecretShape`).
///
/// Each byte of a secret is written over with one other, line breaks aside. So lengths, offsets and whatever was computed
/// from them stay what they were, a text that is cut into pieces is masked alike in all of them, and masking twice is
/// masking once. Secrets are found behind JSON's escapes as well (`sk\u002d…`), up to four layers of them in a text and so up
/// to three in the strings of a value, which stand behind one in its text.
public struct SecretMask: Sendable {
  /// What stands in a text instead of some of its bytes.
  package struct Edit: Sendable, Hashable {
    package var range: Range<Int>
    package var byte: UInt8

    package init(range: Range<Int>, byte: UInt8) {
      self.range = range
      self.byte = byte
    }
  }

  /// Secrets as they are, by their first byte.
  private var exact = [[[UInt8]]](repeating: [], count: 256)
  /// Bytes of the shortest text that counts as a secret: a shorter one is a word.
  private static let leastLength = 8
  /// Layers of JSON's escapes that are looked behind in a text.
  private static let depth = 4
  private static let sign = Array("[redacted]".utf8)

  /// A mask of everything that looks like a key, and of these secrets.
  public init(secrets: some Sequence<String> = []) {
    for secret in secrets { insert(secret) }
  }

  /// Masks this text too, wherever it stands from now on. Fewer than eight bytes are no secret.
  public mutating func insert(_ secret: String) {
    let bytes = Array(secret.utf8)
    guard bytes.count >= Self.leastLength, let first = bytes.first, !exact[Int(first)].contains(bytes) else { return }
    exact[Int(first)].append(bytes)
  }

  // MARK: Masking

  /// The text without its secrets.
  public func mask(_ text: String) -> String { mask(text, depth: Self.depth) }

  private func mask(_ text: String, depth: Int) -> String {
    let bytes = Array(text.utf8)
    let edits = edits(in: bytes, depth: depth)
    return edits.isEmpty ? text : String(decoding: Self.apply(edits, to: bytes), as: UTF8.self)
  }

  /// The bytes of a text without its secrets.
  package func mask(_ bytes: [UInt8]) -> [UInt8] {
    let edits = edits(in: bytes)
    return edits.isEmpty ? bytes : Self.apply(edits, to: bytes)
  }

  /// The value without the secrets in its strings and keys.
  public func mask(_ value: JSONValue) -> JSONValue {
    switch value {
    case .string(let text): return .string(mask(text, depth: Self.depth - 1))
    case .array(let values): return .array(values.map(mask))
    case .object(let object):
      var masked = JSONObject()
      for (key, value) in object { masked[mask(key, depth: Self.depth - 1)] = mask(named(value, by: key)) }
      return .object(masked)
    case .null, .bool, .number: return value
    }
  }

  /// A text that is a secret by its name, written over.
  private func named(_ value: JSONValue, by key: String) -> JSONValue {
    guard case .string(let text) = value, SecretName.isName(key) else { return value }
    // As it would stand in a text.
    let named = "token="
    let masked = mask(named + text, depth: Self.depth - 1)
    return .string(String(decoding: masked.utf8.dropFirst(named.utf8.count), as: UTF8.self))
  }

  package static func apply(_ edits: [Edit], to bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var position = 0
    for edit in edits where edit.range.lowerBound >= position {
      result += bytes[position..<edit.range.lowerBound]
      result.append(edit.byte)
      position = edit.range.upperBound
    }
    return result + bytes[position...]
  }

  // MARK: Finding

  /// What has to be written over, in order and without overlaps.
  /// - Parameter start: what is before it is known, and only looked back at.
  package func edits(in bytes: [UInt8], from start: Int = 0) -> [Edit] {
    edits(in: bytes, from: start, depth: Self.depth)
  }

  private func edits(in bytes: [UInt8], from start: Int = 0, depth: Int) -> [Edit] {
    // What escapes stand for comes first: it is the text.
    var layers: [[Edit]] = [[]]
    for range in secrets(in: bytes, from: start) {
      var index = range.lowerBound
      while index < range.upperBound {
        // The JSON text of a key with lines: its line breaks stay, as they do in the key.
        if bytes[index] == UInt8(ascii: "\\"), index + 1 < range.upperBound,
          bytes[index + 1] == UInt8(ascii: "n") || bytes[index + 1] == UInt8(ascii: "r")
        {
          index += 2
          continue
        }
        if let byte = Self.substitute(bytes[index], at: index - range.lowerBound, of: range.count) {
          layers[0].append(Edit(range: index..<index + 1, byte: byte))
        }
        index += 1
      }
    }
    var escaped = EscapedText(bytes)
    for _ in 0..<depth {
      guard let text = escaped, text.isShorter else { break }
      var edits: [Edit] = []
      for range in secrets(in: text.bytes, from: 0) {
        for index in range {
          guard let byte = Self.substitute(text.bytes[index], at: index - range.lowerBound, of: range.count) else {
            continue
          }
          edits.append(Edit(range: text.sources[index], byte: byte))
        }
      }
      layers.append(edits)
      escaped = text.deeper
    }
    if layers.count == 1 { return layers[0] }
    return Self.inOrder(layers)
  }

  /// Where a secret may have begun whose end is not here yet; `bytes.count` when there is no sign of one.
  package func openStart(in bytes: [UInt8], from first: Int = 0) -> Int {
    var start = openStartUnescaped(in: bytes, from: first)
    var escaped = EscapedText(bytes)
    for _ in 0..<Self.depth {
      guard let text = escaped, text.isShorter || text.endsInEscape else { break }
      let open = openStartUnescaped(in: text.bytes, from: 0)
      if open < text.bytes.count { start = min(start, text.sources[open].lowerBound) }
      if text.endsInEscape { start = min(start, text.escapeStart) }
      escaped = text.deeper
    }
    return start
  }

  private func openStartUnescaped(in bytes: [UInt8], from first: Int) -> Int {
    bytes.withUnsafeBufferPointer { bytes in
      var index = first
      while index < bytes.count {
        if SecretShape.mayBegin(at: index, in: bytes) { return index }
        let rest = bytes[index...]
        if exact[Int(bytes[index])].contains(where: { $0.count > rest.count && $0.starts(with: rest) }) { return index }
        // Within a secret none begins.
        index = (SecretShape.secret(at: index, in: bytes) ?? exactSecret(at: index, in: bytes))?.upperBound ?? index + 1
      }
      return bytes.count
    }
  }

  private func secrets(in bytes: [UInt8], from start: Int) -> [Range<Int>] {
    var found: [Range<Int>] = []
    bytes.withUnsafeBufferPointer { bytes in
      var index = start
      while index < bytes.count {
        if let range = SecretShape.secret(at: index, in: bytes) ?? exactSecret(at: index, in: bytes) {
          found.append(range)
          index = max(index + 1, range.upperBound)
        } else {
          index += 1
        }
      }
    }
    return found
  }

  private func exactSecret(at index: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
    let secrets = exact[Int(bytes[index])]
    return secrets.isEmpty
      ? nil : secrets.filter { bytes[index...].starts(with: $0) }.map(\.count).max().map { index..<index + $0 }
  }

  private static func substitute(_ byte: UInt8, at position: Int, of count: Int) -> UInt8? {
    if byte == 0x0A || byte == 0x0D { return nil }
    return position < sign.count && count >= sign.count ? sign[position] : UInt8(ascii: "*")
  }

  private static func inOrder(_ layers: [[Edit]]) -> [Edit] {
    var ordered: [Edit] = []
    let edits = layers.enumerated().flatMap { layer, edits in edits.map { (edit: $0, layer: layer) } }
    for (edit, _) in edits.sorted(by: { ($0.edit.range.lowerBound, $1.layer) < ($1.edit.range.lowerBound, $0.layer) }) {
      if let last = ordered.last, edit.range.lowerBound < last.range.upperBound { continue }
      ordered.append(edit)
    }
    return ordered
  }
}
