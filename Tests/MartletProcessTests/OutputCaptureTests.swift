import Testing

@testable import MartletProcess

@Suite struct OutputCaptureTests {
  @Test(arguments: 0..<200) func `whatever the chunks, the first and last bytes are kept`(seed: UInt64) {
    var random = SeededRandom(seed)
    let limit = Int.random(in: 0...40, using: &random)
    var capture = OutputCapture(limit: limit)
    var all: [UInt8] = []
    for _ in 0..<Int.random(in: 0...30, using: &random) {
      let chunk = (0..<Int.random(in: 0...12, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      chunk.withUnsafeBytes { capture.append($0) }
      all += chunk
    }
    let captured = capture.captured
    #expect(capture.total == all.count)
    #expect(captured.dropped == max(0, all.count - limit))
    if captured.dropped == 0 {
      #expect(captured.bytes == all)
    } else {
      #expect(captured.head == Array(all.prefix(limit - limit / 2)))
      #expect(captured.tail == Array(all.suffix(limit / 2)))
    }
  }

  @Test(arguments: 0...40) func `text never shows half a character at the gap`(limit: Int) {
    var capture = OutputCapture(limit: limit)
    Array("aé漢🐦 aé漢🐦 aé漢🐦 aé漢🐦".utf8).withUnsafeBytes { capture.append($0) }
    let text = capture.captured.text { "<\($0)>" }
    #expect(!text.contains("\u{FFFD}"))
    let kept = text.filter { !"<>0123456789".contains($0) }.utf8.count
    let dropped = text.split(separator: "<").last?.split(separator: ">").first.flatMap { Int($0) } ?? 0
    #expect(kept + dropped == 43)
  }
}

@Suite struct LineTailTests {
  @Test(arguments: 1...7) func `lines are the same however they are cut`(size: Int) {
    var tail = LineTail(lineLimit: 3)
    let bytes = Array("one\r\ntwo\n\nünf\nsix".utf8)
    for start in stride(from: 0, to: bytes.count, by: size) {
      bytes[start..<min(start + size, bytes.count)].withUnsafeBytes { tail.append($0) }
    }
    #expect(tail.current == ["", "ünf", "six"])
  }

  @Test func `a long line is cut and marked`() {
    var tail = LineTail(lineLimit: 2, lengthLimit: 5)
    Array("ab\nééé tail\nok".utf8).withUnsafeBytes { tail.append($0) }
    #expect(tail.current == ["éé…", "ok"])
  }

  @Test func `memory is bounded`() {
    var tail = LineTail(lineLimit: 10, lengthLimit: 10)
    let line = [UInt8](repeating: 120, count: 1_000) + [10]
    for _ in 0..<1_000 { line.withUnsafeBytes { tail.append($0) } }
    #expect(tail.current == [String](repeating: "xxxxxxxxxx…", count: 10))
  }
}

/// A generator whose numbers follow from its seed (SplitMix64).
struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
