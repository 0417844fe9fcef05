import MartletHTTP
import Testing

@Suite struct ServerSentEventDecoderTests {
  /// A stream, the events it holds, and the one that its end cuts off.
  struct Fixture: Sendable, CustomTestStringConvertible {
    var name: String
    var stream: [UInt8]
    var events: [ServerSentEvent]
    var cutOff: ServerSentEvent?
    var testDescription: String { name }

    init(_ name: String, _ stream: String, _ events: [ServerSentEvent], cutOff: ServerSentEvent? = nil) {
      self.init(name, Array(stream.utf8), events, cutOff: cutOff)
    }

    init(_ name: String, _ stream: [UInt8], _ events: [ServerSentEvent], cutOff: ServerSentEvent? = nil) {
      self.name = name
      self.stream = stream
      self.events = events
      self.cutOff = cutOff
    }
  }

  static func event(_ data: String, type: String = "message", id: String = "") -> ServerSentEvent {
    ServerSentEvent(type: type, data: ArraySlice(data.utf8), id: id)
  }

  static let fixtures: [Fixture] = [
    Fixture("empty", "", []),
    Fixture("one", "data: a\n\n", [event("a")]),
    Fixture("types", "event: ping\ndata: {}\n\ndata: b\n\n", [event("{}", type: "ping"), event("b")]),
    Fixture("an empty type is message", "event:\ndata: b\n\n", [event("b")]),
    Fixture("CRLF", "event: x\r\ndata: 1\r\n\r\ndata: 2\r\n\r\n", [event("1", type: "x"), event("2")]),
    Fixture("CR", "data: 1\rdata: 2\r\rdata: 3\r\r", [event("1\n2"), event("3")]),
    Fixture("mixed line ends", "data: 1\r\ndata: 2\n\rdata: 3\r\r\n", [event("1\n2"), event("3")]),
    Fixture("CR CR LF is two line ends", "data: 1\r\r\ndata: 2\n\n", [event("1"), event("2")]),
    Fixture("comments", ": ping\n\n:\ndata: 1\n: OPENROUTER PROCESSING\ndata: 2\n\n", [event("1\n2")]),
    Fixture("one space only is dropped", "data:  a\n\ndata:b\n\ndata: \n\n", [event(" a"), event("b"), event("")]),
    Fixture("a tab stays", "data:\ta\n\n", [event("\ta")]),
    Fixture("a field without colon", "data\n\ndata\ndata\n\ndata:", [event(""), event("\n")], cutOff: event("")),
    Fixture("several data lines", "data: YHOO\ndata: +2\ndata: 10\n\n", [event("YHOO\n+2\n10")]),
    Fixture("no data, no event", "event: x\n\nid: 4\n\ndata: a\n\n", [event("a", id: "4")]),
    Fixture(
      "ids stay", "id: 1\ndata: a\n\ndata: b\n\nid\ndata: c\n\n",
      [event("a", id: "1"), event("b", id: "1"), event("c")]),
    Fixture(
      "an id with NUL is ignored", "id: 1\ndata: a\n\nid: 2\u{0}\ndata: b\n\n",
      [event("a", id: "1"), event("b", id: "1")]),
    Fixture("byte order mark", "\u{FEFF}data: a\n\n", [event("a")]),
    Fixture("only the first byte order mark", "\u{FEFF}\u{FEFF}data: a\n\ndata: b\n\n", [event("b")]),
    Fixture("a byte order mark before a blank line", "\u{FEFF}\n\u{FEFF}data: a\ndata: b\n\n", [event("b")]),
    Fixture(
      "unknown fields", "foo: 1\ndatas: 2\n data: 3\nDATA: 4\ndata: 5\nevents: 6\nidx\nretry2: 1\n\n", [event("5")]),
    Fixture(
      "UTF-8 and other line separators", "data: é日本🦜\u{2028}\u{2029}\u{85}\u{0B}\u{0C}x\n\n",
      [event("é日本🦜\u{2028}\u{2029}\u{85}\u{0B}\u{0C}x")]),
    Fixture(
      "invalid UTF-8 is kept", Array("data: ".utf8) + [0xFF, 0xC3, 0x0A, 0x0A], [ServerSentEvent(data: [0xFF, 0xC3])]),
    Fixture("no last blank line", "data: a\n\nid: 7\ndata: b\n", [event("a")], cutOff: event("b", id: "7")),
    Fixture("no last line end", "data: a\n\nevent: x\ndata: b", [event("a")], cutOff: event("b", type: "x")),
    Fixture("cut off before its data", "data: a\n\nevent: x\n", [event("a")]),
    Fixture("colon in the value", "data: a:b: c\n\n", [event("a:b: c")]),
    Fixture("done marker", "data: {\"a\":1}\n\ndata: [DONE]\n\n", [event("{\"a\":1}"), event("[DONE]")]),
  ]

  private func decode(_ chunks: [[UInt8]]) throws -> (events: [ServerSentEvent], cutOff: ServerSentEvent?) {
    var decoder = ServerSentEventDecoder()
    var events: [ServerSentEvent] = []
    for chunk in chunks {
      decoder.append(chunk)
      while let event = try decoder.next() { events.append(event) }
    }
    return (events, try decoder.finish())
  }

  @Test(arguments: fixtures) func `a stream gives its events, whole and cut at every byte`(_ fixture: Fixture) throws {
    let bytes = fixture.stream
    for cut in 0...bytes.count {
      let (events, cutOff) = try decode([Array(bytes[..<cut]), Array(bytes[cut...])])
      #expect(events == fixture.events, "cut at \(cut)")
      #expect(cutOff == fixture.cutOff, "cut at \(cut)")
    }
    let (events, cutOff) = try decode(bytes.map { [$0] })
    #expect(events == fixture.events)
    #expect(cutOff == fixture.cutOff)
  }

  @Test func `retry is digits only`() throws {
    var decoder = ServerSentEventDecoder()
    func delay(after text: String) throws -> Duration? {
      decoder.append(Array(text.utf8))
      while try decoder.next() != nil {}
      return decoder.reconnectionDelay
    }
    #expect(try delay(after: "retry: abc\nretry:\nretry: -1\nretry: 1.5\nretry\n") == nil)
    #expect(try delay(after: "retry: 1500\n") == .milliseconds(1500))
    #expect(try delay(after: "retry: 99999999999999999999999\n") == .milliseconds(1500))
  }

  @Test func `the last event id counts only events that ended`() throws {
    var decoder = ServerSentEventDecoder()
    decoder.append(Array("id: 1\ndata: a\n\nid: 2\n\nid: 3\ndata: b\n".utf8))
    #expect(try decoder.next()?.id == "1")
    #expect(decoder.lastEventID == "1")
    #expect(try decoder.next() == nil)
    #expect(decoder.lastEventID == "2")
    #expect(try decoder.finish()?.id == "3")
    #expect(decoder.lastEventID == "2")
  }

  @Test func `bytes may be appended before all events are taken`() throws {
    var decoder = ServerSentEventDecoder()
    decoder.append(Array("data: a\n\ndata: b\n\nda".utf8))
    #expect(try decoder.next()?.text == "a")
    decoder.append(Array("ta: c\n\n".utf8))
    #expect(try decoder.next()?.text == "b")
    #expect(try decoder.next()?.text == "c")
    #expect(try decoder.next() == nil)
  }

  @Test(arguments: [
    "data: 0123456789\n\n", "data: 01234\ndata: 56789\n\n", "foo: 0123456789abcdef", "data: 0123456789",
  ])
  func `an event over the limit is an error, however it is split`(_ stream: String) {
    for size in 1...stream.utf8.count {
      var decoder = ServerSentEventDecoder(limit: 9)
      let error = #expect(throws: HTTPError.self) {
        var rest = Array(stream.utf8)[...]
        while !rest.isEmpty {
          decoder.append(Array(rest.prefix(size)))
          rest = rest.dropFirst(size)
          while try decoder.next() != nil {}
        }
      }
      #expect(error?.code == .tooLarge)
    }
  }

  @Test func `what the limit lets through does not depend on the cuts`() {
    let fields = ["data: 12", "data:123456789", ":a long comment", "event: message", "id:1", "", "datadata: x", "x"]
    var random = SeededRandom(7)
    for round in 0..<2_000 {
      let lines = (0..<Int.random(in: 1...6, using: &random)).map { _ in fields.randomElement(using: &random) ?? "" }
      let stream = Array(lines.joined(separator: "\n").utf8)
      let readings = [stream.count, Int.random(in: 1...20, using: &random)].map { size in
        var decoder = ServerSentEventDecoder(limit: 12)
        var (events, rest) = ([ServerSentEvent](), stream[...])
        do {
          while !rest.isEmpty {
            decoder.append(Array(rest.prefix(max(1, size))))
            rest = rest.dropFirst(max(1, size))
            while let event = try decoder.next() { events.append(event) }
          }
          if let event = try decoder.finish() { events.append(event) }
        } catch {
          return (events, true)
        }
        return (events, false)
      }
      #expect(readings[0] == readings[1], "round \(round): \(lines)")
    }
  }

  @Test func `random bytes cut at random places give the same events as in one piece`() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededRandom(seed)
    let alphabet: [[UInt8]] = [
      "data", ":", " ", "\n", "\r", "\r\n", "event", "id", "retry", "a", "é", "\u{FEFF}", "\u{0}", "1",
    ]
    .map { Array($0.utf8) }
    for round in 0..<2_000 {
      var stream: [UInt8] = []
      for _ in 0..<Int.random(in: 0..<60, using: &random) {
        stream += alphabet.randomElement(using: &random) ?? []
        if Int.random(in: 0..<40, using: &random) == 0 { stream.append(UInt8.random(in: 0...255, using: &random)) }
      }
      var chunks: [[UInt8]] = []
      var rest = stream[...]
      while !rest.isEmpty {
        let size = Int.random(in: 0...7, using: &random)
        chunks.append(Array(rest.prefix(size)))
        rest = rest.dropFirst(size)
      }
      let (whole, pieces) = (try decode([stream]), try decode(chunks))
      #expect(whole.events == pieces.events && whole.cutOff == pieces.cutOff, "seed \(seed), round \(round)")
      #expect(whole.events == ReferenceEventStream.events(stream), "seed \(seed), round \(round)")
    }
  }
}

/// A slow reading of the standard, step by step, to compare with.
enum ReferenceEventStream {
  static func events(_ stream: [UInt8]) -> [ServerSentEvent] {
    var bytes = stream
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    var lines: [[UInt8]] = []
    var line: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte == 0x0D || byte == 0x0A {
        lines.append(line)
        line = []
        if byte == 0x0D, index + 1 < bytes.count, bytes[index + 1] == 0x0A { index += 1 }
      } else {
        line.append(byte)
      }
      index += 1
    }
    var events: [ServerSentEvent] = []
    var (data, type, id): ([UInt8], [UInt8], [UInt8]) = ([], [], [])
    for line in lines {
      if line.isEmpty {
        if !data.isEmpty {
          let name = type.isEmpty ? "message" : String(decoding: type, as: UTF8.self)
          events.append(ServerSentEvent(type: name, data: data.dropLast(), id: String(decoding: id, as: UTF8.self)))
        }
        (data, type) = ([], [])
        continue
      }
      let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
      var value = parts.count == 2 ? Array(parts[1]) : []
      if value.first == 0x20 { value.removeFirst() }
      if parts[0].elementsEqual("data".utf8) { data += value + [0x0A] }
      if parts[0].elementsEqual("event".utf8) { type = value }
      if parts[0].elementsEqual("id".utf8), !value.contains(0) { id = value }
    }
    return events
  }
}
