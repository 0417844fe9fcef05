import Martlet

/// Masks a response while it comes. Secrets may be split over the texts of several events, so a chunk is held while any of
/// its texts may be a part of one.
struct ResponseMask {
  struct Chunk {
    var time: Int
    var bytes: [UInt8]
  }

  private struct Held {
    var time: Int
    var start: Int
    var bytes: [UInt8]
  }

  /// The texts of one field of all events, as one.
  private struct Field {
    var text: StreamMask
    /// Where in the body each byte stands, from `base` on.
    var sources: [Range<Int>] = []
    var base = 0
  }

  private let mask: SecretMask
  /// Whether each line is a document of its own.
  private let hasLines: Bool
  private var held: [Held] = []
  private var edits: [SecretMask.Edit] = []
  private var fields: [String: Field] = [:]
  /// Fields that have had something since they were looked at.
  private var touched: Set<String> = []
  /// Where the open part of a field begins in the body.
  private var opens: [String: Int] = [:]
  /// What is not a whole line yet.
  private var line: [UInt8] = []
  private var lineStart = 0
  private var count = 0
  /// Fields of a body that makes up names without end.
  private static let fieldLimit = 4_096

  init(_ mask: SecretMask, mediaType: String?) {
    self.mask = mask
    hasLines =
      mediaType.map { ["text/event-stream", "application/x-ndjson", "application/jsonl"].contains($0) } ?? true
  }

  /// Takes a chunk; gives those that are clear by now.
  mutating func take(_ chunk: [UInt8], at time: Int) -> [Chunk] {
    held.append(Held(time: time, start: count, bytes: chunk))
    count += chunk.count
    line += chunk
    guard hasLines else { return [] }
    var start = 0
    while let end = line[start...].firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) {
      read(Array(line[start..<end]), at: lineStart + start)
      start = end + 1
    }
    line.removeFirst(start)
    lineStart += start
    return release(before: settle(isEnd: false))
  }

  mutating func end() -> [Chunk] {
    read(line, at: lineStart)
    line = []
    lineStart = count
    _ = settle(isEnd: true)
    return release(before: count)
  }

  private mutating func read(_ line: [UInt8], at start: Int) {
    let data = Array("data:".utf8)
    let offset = line.starts(with: data) ? data.count : 0
    guard let leaves = StringLeaves(line, from: offset) else {
      edits += mask.edits(in: line).map { Self.moved($0, by: start) }
      return
    }
    for leaf in leaves.all {
      let key = leaf.path + leaves.indexes
      var field = fields.removeValue(forKey: key) ?? Field(text: StreamMask(mask))
      let content = Array(line[leaf.range])
      let from = start + leaf.range.lowerBound
      if let text = EscapedText(content) {
        _ = field.text.append(text.bytes)
        field.sources += text.sources.map { $0.lowerBound + from..<$0.upperBound + from }
      } else {
        _ = field.text.append(content)
        field.sources += content.indices.map { from + $0..<from + $0 + 1 }
      }
      if fields.count < Self.fieldLimit {
        fields[key] = field
        touched.insert(key)
      }
    }
  }

  /// Gives where in the body the first open text begins.
  private mutating func settle(isEnd: Bool) -> Int {
    for key in isEnd ? Set(fields.keys) : touched {
      guard var field = fields.removeValue(forKey: key) else { continue }
      if isEnd { field.text.end() }
      let settled = field.text.settle()
      for edit in settled.edits {
        for (index, position) in edit.range.enumerated() {
          let source = field.sources[position - field.base]
          edits.append(SecretMask.Edit(range: source, byte: index == 0 ? edit.byte : 0))
        }
      }
      let clear = settled.open - field.base
      opens[key] = clear < field.sources.count ? field.sources[clear].lowerBound : nil
      field.sources.removeFirst(clear)
      field.base = settled.open
      fields[key] = field
    }
    touched = []
    return min(lineStart, opens.values.min() ?? lineStart)
  }

  private mutating func release(before open: Int) -> [Chunk] {
    let clear = held.prefix { $0.start + $0.bytes.count <= open }
    held.removeFirst(clear.count)
    guard !clear.isEmpty else { return [] }
    let ordered = edits.sorted { $0.range.lowerBound < $1.range.lowerBound }
    let chunks = clear.map { chunk in
      Chunk(
        time: chunk.time,
        bytes: ordered.isEmpty
          ? chunk.bytes : StreamMask.apply(ordered, to: chunk.bytes, at: chunk.start).filter { $0 != 0 })
    }
    let end = held.first?.start ?? count
    edits.removeAll { $0.range.upperBound <= end }
    return chunks
  }

  private static func moved(_ edit: SecretMask.Edit, by offset: Int) -> SecretMask.Edit {
    SecretMask.Edit(range: edit.range.lowerBound + offset..<edit.range.upperBound + offset, byte: edit.byte)
  }
}
