/// A string that is not whole yet, from after its first quote.
struct PartialString: Sendable {
  /// What a split may have left open.
  private enum Open: Sendable {
    case nothing
    /// A character of several bytes.
    case character
    /// An escape, from its backslash.
    case escape
    /// A first half of a surrogate pair, and what follows it if that is an escape.
    case surrogate(UInt32)
  }

  let isKey: Bool
  private var text = ""
  /// What was taken from the piece and is not in the text yet.
  private var taken: [UInt8] = []
  private var open = Open.nothing
  /// The bytes of the open character or escape.
  private var held: [UInt8] = []
  /// Where the open character or escape begins, in bytes from the start of the document.
  private(set) var characterStart: Int?

  init(isKey: Bool = false) {
    self.isKey = isKey
  }

  /// Moves out what has come so far.
  mutating func takeText() -> String {
    defer { text = "" }
    return text
  }

  mutating func putBack(_ text: String) {
    self.text = text
  }

  /// Reads on from `index`; whether the closing quote has come.
  mutating func consume(
    _ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int, at base: Int, _ options: JSONReader.Options
  ) throws(JSONFault) -> Bool {
    while index < bytes.count {
      let byte = bytes[index]
      switch open {
      case .nothing: if try whole(bytes, &index, base) { return true }
      case .character:
        held.append(byte)
        index += 1
        try character()
      case .escape:
        try hold(byte, base + index)
        index += 1
        if let code = try escape() { try end(escape: code, options) }
      case .surrogate(let high):
        if try followsSurrogate(byte, base + index) {
          index += 1
          if let low = try escape() { try end(pair: high, low, base + index, options) }
        } else {
          try loneSurrogate(options)
        }
      }
    }
    return false
  }

  /// The fault of a document that ends here, as the reader would find it.
  func endFault(at offset: Int, _ options: JSONReader.Options) -> JSONFault {
    switch open {
    case .character: JSONFault(.invalidUTF8, characterStart ?? offset)
    case .surrogate where options.loneSurrogates == .error && held.count < 2:
      JSONFault(.loneSurrogate, characterStart ?? offset)
    default: JSONFault(.unexpectedEnd, offset)
    }
  }
}

// MARK: - Characters

extension PartialString {
  /// Takes all that is whole in the piece; whether the closing quote has come.
  private mutating func whole(
    _ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int, _ base: Int
  ) throws(JSONFault) -> Bool {
    guard let start = bytes.baseAddress else { return false }
    let end = start + bytes.count
    var cursor = start + index
    defer {
      index = cursor - start
      text += String(decoding: taken, as: UTF8.self)
      taken.removeAll(keepingCapacity: true)
    }
    while true {
      let run = JSONBytes.skipPlain(cursor, end)
      taken.append(contentsOf: UnsafeBufferPointer(start: cursor, count: run - cursor))
      cursor = run
      guard cursor < end else { return false }
      let byte = cursor.pointee
      switch byte {
      case UInt8(ascii: "\""):
        cursor += 1
        return true
      case UInt8(ascii: "\\"):
        let length = takeEscape(cursor, end)
        cursor += length
        if length == 0 {
          begin(.escape, byte, base + (cursor - start))
          cursor += 1
          return false
        }
      case 0..<0x20: throw JSONFault(.controlCharacter, base + (cursor - start))
      default:
        let length = UTF8Sequence.length(in: UnsafeBufferPointer(start: cursor, count: end - cursor), at: 0)
        taken.append(contentsOf: UnsafeBufferPointer(start: cursor, count: length))
        cursor += length
        if length == 0 {
          begin(.character, byte, base + (cursor - start))
          cursor += 1
          try character()
          return false
        }
      }
    }
  }

  /// Takes the escape at the cursor if it is whole, right and no half of a pair; its length, or 0 for all others,
  /// which go byte by byte.
  private mutating func takeEscape(_ cursor: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> Int {
    guard end - cursor >= 2 else { return 0 }
    if let character = JSONEscape.character(cursor[1]) {
      taken.append(character)
      return 2
    }
    guard let code = Self.code(cursor, end) else { return 0 }
    if let scalar = Unicode.Scalar(code) {
      taken.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      return 6
    }
    guard code < 0xdc00, let low = Self.code(cursor + 6, end), low & 0xfc00 == 0xdc00,
      let scalar = Unicode.Scalar(0x10000 + (code & 0x3ff) << 10 + low & 0x3ff)
    else { return 0 }
    taken.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    return 12
  }

  /// The code of a whole `\u` escape.
  private static func code(_ cursor: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> UInt32? {
    guard end - cursor >= 6, cursor[0] == UInt8(ascii: "\\"), cursor[1] == UInt8(ascii: "u") else { return nil }
    var code: UInt32 = 0
    for offset in 2..<6 {
      guard let digit = JSONEscape.hexDigit(cursor[offset]) else { return nil }
      code = code << 4 | UInt32(digit)
    }
    return code
  }

  private mutating func begin(_ open: Open, _ byte: UInt8, _ offset: Int) {
    self.open = open
    held = [byte]
    characterStart = offset
  }

  private mutating func end() {
    open = .nothing
    held = []
    characterStart = nil
  }

  private mutating func character() throws(JSONFault) {
    if held.withUnsafeBufferPointer({ UTF8Sequence.length(in: $0, at: 0) }) > 0 {
      text += String(decoding: held, as: UTF8.self)
      end()
    } else if !UTF8Sequence.isCutOff(held) {
      throw JSONFault(.invalidUTF8, characterStart ?? 0)
    }
  }
}

// MARK: - Escapes

extension PartialString {
  /// Takes a byte of an escape.
  private mutating func hold(_ byte: UInt8, _ offset: Int) throws(JSONFault) {
    if held.count >= 2, JSONEscape.hexDigit(byte) == nil { throw JSONFault(.invalidEscape, offset) }
    held.append(byte)
  }

  /// The code that the held bytes escape, when they are whole.
  private func escape() throws(JSONFault) -> UInt32? {
    guard held.count >= 2 else { return nil }
    guard held[1] == UInt8(ascii: "u") else {
      guard let byte = JSONEscape.character(held[1]) else { throw JSONFault(.invalidEscape, characterStart ?? 0) }
      return UInt32(byte)
    }
    guard held.count == 6 else { return nil }
    return held[2...].reduce(0) { $0 << 4 | UInt32(JSONEscape.hexDigit($1) ?? 0) }
  }

  private mutating func end(escape code: UInt32, _ options: JSONReader.Options) throws(JSONFault) {
    if code & 0xfc00 == 0xd800 {
      open = .surrogate(code)
      held = []
    } else if let scalar = Unicode.Scalar(code) {
      text.unicodeScalars.append(scalar)
      end()
    } else {
      try loneSurrogate(options)
    }
  }

  /// Whether the byte belongs to an escape `\u` after the first half of a pair; it is taken then.
  private mutating func followsSurrogate(_ byte: UInt8, _ offset: Int) throws(JSONFault) -> Bool {
    switch held.count {
    case 0 where byte != UInt8(ascii: "\\"), 1 where byte != UInt8(ascii: "u"): return false
    default:
      try hold(byte, offset)
      return true
    }
  }

  private mutating func end(
    pair high: UInt32, _ low: UInt32, _ offset: Int, _ options: JSONReader.Options
  ) throws(JSONFault) {
    guard low & 0xfc00 == 0xdc00 else {
      try loneSurrogate(options)
      characterStart = offset - 6
      open = .escape
      try end(escape: low, options)
      return
    }
    let scalar = Unicode.Scalar(0x10000 + (high & 0x3ff) << 10 + low & 0x3ff)
    text.unicodeScalars.append(scalar ?? "\u{fffd}")
    end()
  }

  /// Puts U+FFFD for half a pair. A backslash after it begins an escape of its own.
  private mutating func loneSurrogate(_ options: JSONReader.Options) throws(JSONFault) {
    guard options.loneSurrogates == .replace else { throw JSONFault(.loneSurrogate, characterStart ?? 0) }
    text.unicodeScalars.append("\u{fffd}")
    if held == [UInt8(ascii: "\\")] {
      open = .escape
      characterStart = characterStart.map { $0 + 6 }
    } else {
      end()
    }
  }
}
