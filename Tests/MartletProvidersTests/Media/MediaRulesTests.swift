import Foundation
import Martlet
import MartletHTTP
import MartletJSON
import MartletTesting
import Testing

@testable import MartletProviders

/// One image that a service refuses makes it refuse every later request of a conversation.
@Suite struct MediaRulesTests {
  static func image(_ type: String, _ base64: String, name: String? = nil) -> Media {
    Media(kind: .image, mimeType: type, name: name, source: .data(base64: base64))
  }

  private func json(_ media: Media...) throws -> JSONValue {
    let content = media.map { ContentBlock.media($0) }
    return try Anthropic(key: nil, transport: ReplayTransport([])).httpRequest(
      for: ModelRequest(messages: [Message(role: .user, content: [.text("See")] + content)])
    ).json
  }

  @Test(arguments: [
    ("image/png", 7, 5_000), ("image/jpeg", 640, 480), ("image/gif", 3, 4),
  ])
  func `the type and size of an image are read from its bytes`(type: String, width: Int, height: Int) throws {
    let facts = try #require(ImageFacts(base64: AnyHistory.image(type, width, height)))
    #expect(facts.type == type)
    #expect(facts.longestSide == max(width, height))
  }

  @Test func `the size of a WebP is read in its three forms`() throws {
    func webp(_ form: String, _ rest: [UInt8]) -> String {
      Data(Array("RIFF".utf8) + [0, 0, 0, 0] + Array("WEBP\(form)".utf8) + [0, 0, 0, 0] + rest).base64EncodedString()
    }
    let extended = webp("VP8X", [0, 0, 0, 0, 0x0F, 0x27, 0, 0x63, 0, 0])
    #expect(ImageFacts(base64: extended) == ImageFacts(base64: extended))
    #expect(ImageFacts(base64: extended)?.width == 10_000)
    #expect(ImageFacts(base64: extended)?.height == 100)
    let lossless = webp("VP8L", [0x2F, 0x2B, 0xC1, 0x31, 0, 0, 0])
    #expect(ImageFacts(base64: lossless)?.width == 300)
    #expect(ImageFacts(base64: lossless)?.height == 200)
    let lossy = webp("VP8 ", [0, 0, 0, 0x9D, 0x01, 0x2A, 0x2C, 0x01, 0xC8, 0x00])
    #expect(ImageFacts(base64: lossy)?.width == 300)
    #expect(ImageFacts(base64: lossy)?.height == 200)
  }

  @Test func `the size of a JPEG stands behind what programs write into it`() throws {
    var bytes: [UInt8] = [0xFF, 0xD8]
    for _ in 0..<3 { bytes += [0xFF, 0xE1, 0xFF, 0xFF] + [UInt8](repeating: 0xC0, count: 0xFFFD) }
    bytes += [0xFF, 0xFF, 0xC2, 0, 17, 8, 0x21, 0x34, 0x00, 0x10, 3]
    let facts = try #require(ImageFacts(base64: Data(bytes).base64EncodedString()))
    #expect(facts.longestSide == 0x2134)
  }

  @Test func `no bytes make it crash`() {
    for seed in 0..<2_000 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let whole = Data(base64Encoded: AnyHistory.image(random.pick(["image/png", "image/jpeg", "x"]), 9, 9))
      var bytes = Array(whole ?? Data())
      for _ in 0..<random.pick([0, 1, 4]) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      bytes = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))
      let text = Data(bytes).base64EncodedString()
      _ = ImageFacts(base64: text)
      #expect(Base64Text.bytes(text) == bytes, "seed \(seed)")
    }
  }

  @Test func `an image has the type of its bytes, whatever it is said to be`() throws {
    let content = try json(Self.image("image/jpeg", AnyHistory.image("image/png", 1, 1)))["messages"]?[0]?["content"]
    #expect(content?[1]?["source"]?["media_type"] == "image/png")
  }

  @Test(arguments: [
    image("image/svg+xml", Data("<svg/>".utf8).base64EncodedString(), name: "a.svg"), image("image/png", ""),
    image("image/png", "no base64!"), image("image/png", AnyHistory.image("image/png", 8_001, 1)),
    image("image/bmp", Data([0x42, 0x4D, 0, 0]).base64EncodedString()),
    image("image/png", AnyHistory.image("image/png", 1, 1) + String(repeating: "A", count: 11 << 20)),
    Media(kind: .image, mimeType: "image/png", source: .url("http://example.com/a.png")),
    Media(kind: .file, mimeType: "application/pdf", source: .data(base64: "bm8gcGRm")),
    Media(kind: .audio, mimeType: "audio/wav", source: .data(base64: "UklGRg==")),
  ])
  func `what Anthropic refuses is told in words`(media: Media) throws {
    let request = try json(media)
    #expect(AnthropicRules.check(AnthropicRequest(request)) == [])
    #expect(request["messages"]?[0]?["content"]?[1]?["type"] == "text")
  }

  @Test func `base64 in lines or in the alphabet of addresses becomes what services take`() throws {
    let png = AnyHistory.image("image/png", 300, 700)
    let lines = png.prefix(20) + "\r\n" + png.dropFirst(20)
    let address = png.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    for text in [String(lines), address, png] {
      let content = try json(Self.image("image/png", text))["messages"]?[0]?["content"]
      #expect(content?[1]?["source"]?["data"] == .string(png))
    }
  }

  @Test func `a text file goes as text to everyone`() throws {
    let file = Media(
      kind: .file, mimeType: "text/csv", name: "a.csv", source: .data(base64: Data("ä,b\n".utf8).base64EncodedString()))
    let anthropic = try json(file)["messages"]?[0]?["content"]
    #expect(anthropic?[1]?["source"] == ["type": "text", "media_type": "text/plain", "data": "ä,b\n"])
    #expect(anthropic?[1]?["title"] == "a.csv")
    let request = ModelRequest(messages: [Message(role: .user, content: [.media(file)])])
    let transport = ReplayTransport([])
    let quoted: JSONValue = "[file a.csv]\nä,b\n"
    #expect(
      try OpenAIResponses("gpt-5.5", key: nil, transport: transport).httpRequest(for: request).json["input"]?[0]?[
        "content"]?[0]?["text"] == quoted)
    #expect(
      try OpenAIChat("gpt-4o", key: nil, transport: transport).httpRequest(for: request).json["messages"]?[0]?[
        "content"]
        == quoted)
    #expect(
      try Gemini("gemini-3-flash", key: nil, transport: transport).httpRequest(for: request).json["contents"]?[0]?[
        "parts"]?[0]?["text"] == quoted)
    #expect(
      try Ollama("qwen3", transport: transport).httpRequest(for: request).json["messages"]?[0]?["content"] == quoted)
    let binary = Media(kind: .file, mimeType: "text/plain", source: .data(base64: "/w=="))
    #expect(try json(binary)["messages"]?[0]?["content"]?[1]?["type"] == "text")
  }

  @Test func `many images stay within the limits for many, and what was sent stays`() throws {
    for large in [0, 5, 19, 25] {
      let model = Anthropic("claude-opus-5-5", key: nil, transport: ReplayTransport([]))
      var messages: MessageHistory = []
      var before: [JSONValue] = []
      for count in 0..<110 {
        let side = count == large ? 3_000 : 1_000
        messages.append(
          Message(
            role: .user,
            content: [.text("See"), .media(Self.image("image/png", AnyHistory.image("image/png", side, 10)))]))
        let json = try model.httpRequest(
          for: ModelRequest(messages: messages, prefix: PromptPrefix(session: "s\(large)", epoch: 1))
        ).json
        #expect(AnthropicRules.check(AnthropicRequest(json)) == [], "large \(large), count \(count)")
        let sent = json["messages"]?.arrayValue ?? []
        #expect(Array(sent.prefix(before.count)) == before)
        before = sent
      }
      let images = before.count { $0["content"]?[1]?["type"] == "image" }
      #expect(images == (large < 20 ? 20 : 100))
    }
  }

  @Test(arguments: [("image/gif", false), ("image/png", true), ("image/webp", true)])
  func `Gemini gets images that it reads`(type: String, isSent: Bool) throws {
    let base64 = type == "image/webp" ? "UklGRgAAAABXRUJQVlA4IA==" : AnyHistory.image(type, 1, 1)
    let json = try Gemini("gemini-3-flash", key: nil, transport: ReplayTransport([])).httpRequest(
      for: ModelRequest(messages: [Message(role: .user, content: [.media(Self.image(type, base64))])])
    ).json
    #expect((json["contents"]?[0]?["parts"]?[0]?["inlineData"] != nil) == isSent)
  }
}
