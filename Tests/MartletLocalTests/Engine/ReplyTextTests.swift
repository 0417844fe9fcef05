import Testing

@testable import MartletLocal

@Suite struct ReplyTextTests {
  static let samples = ["plain", "naïve café", "日本語のテキスト", "👩‍👩‍👧‍👦 flags 🇳🇴🇯🇵", "mixed é日👍 end"]

  @Test(arguments: samples)
  func `text split at every byte comes out whole`(_ sample: String) {
    var reply = ReplyText()
    var pieces: [String] = []
    for byte in sample.utf8 { pieces.append(reply.append([byte])) }
    pieces.append(reply.finish())
    #expect(pieces.joined() == sample)
    #expect(!pieces.joined().unicodeScalars.contains("\u{FFFD}"))
  }

  @Test(arguments: samples)
  func `text split in two at every place comes out whole`(_ sample: String) {
    let bytes = Array(sample.utf8)
    for cut in bytes.indices {
      var reply = ReplyText(stops: ["never"])
      let first = reply.append(bytes[..<cut])
      let text = first + reply.append(bytes[cut...]) + reply.finish()
      #expect(text == sample)
    }
  }

  @Test func `an unfinished character becomes a replacement character at the end only`() {
    var reply = ReplyText()
    #expect(reply.append(Array("a日".utf8.dropLast())) == "a")
    #expect(reply.finish() == "\u{FFFD}")
  }

  @Test func `a stop string ends the text wherever it is split, and is not part of it`() {
    let bytes = Array("the answer</end>more".utf8)
    for cut in bytes.indices {
      var reply = ReplyText(stops: ["</end>", "END"])
      let text = reply.append(bytes[..<cut]) + reply.append(bytes[cut...]) + reply.finish()
      #expect(text == "the answer")
      #expect(reply.stop == "</end>")
    }
  }

  @Test func `what only looked like a stop string is not lost`() {
    let sample = "a </en b </end c <"
    for cut in sample.utf8.indices {
      var reply = ReplyText(stops: ["</end>"])
      let text =
        reply.append(Array(sample.utf8[..<cut])) + reply.append(Array(sample.utf8[cut...])) + reply.finish()
      #expect(text == sample)
      #expect(reply.stop == nil)
    }
  }

  @Test func `text that may still become a stop string waits`() {
    var reply = ReplyText(stops: ["</end>"])
    #expect(reply.append(Array("x</e".utf8)) == "x")
    #expect(reply.append(Array("x".utf8)) == "</ex")
  }

  @Test func `the earliest of several stop strings wins`() {
    var reply = ReplyText(stops: ["world", "lo"])
    #expect(reply.append(Array("hello world".utf8)) == "hel")
    #expect(reply.stop == "lo")
  }
}
