import Foundation
import Martlet
import MartletJSON
import MartletTesting
import Testing

@testable import MartletCLI

@Suite struct `A session as HTML` {
  static func records(_ events: [AgentEvent]) -> [EventRecord] {
    ([.sessionCreated(SessionCreated(owner: "local"))] + events).enumerated().map {
      EventRecord(
        seq: $0.offset + 1, time: Timestamp(milliseconds: 1_796_000_000_000 + Int64($0.offset) * 1_000), session: "s",
        event: $0.element)
    }
  }

  static func page(_ events: [AgentEvent]) -> String {
    let records = records(events)
    var overview = SessionOverview()
    for record in records { overview.take(record) }
    overview.shorten()
    var page = SessionHTML(id: "s", overview: overview)
    return page.head + records.map { page.piece($0) }.joined() + page.tail()
  }

  static func prompt(_ text: String) -> [AgentEvent] {
    [.runStarted(RunStarted(budget: Budget())), .prompt(Prompt(messageId: "p", message: .user(text)))]
  }

  static func reply(_ text: String, _ calls: [ToolCall] = []) -> AgentEvent {
    .assistantMessage(
      AssistantMessage(messageId: "m", message: .assistant(text: text, toolCalls: calls), stopReason: .endTurn))
  }

  /// Checks that the tags of a page close in order, and gives the names and attributes of all.
  static func tags(_ html: String, _ comment: Comment? = nil) -> [String] {
    var open: [String] = []
    var tags: [String] = []
    var rest = Substring(html)
    while let start = rest.firstIndex(of: "<"), let end = rest[start...].firstIndex(of: ">") {
      let tag = String(rest[rest.index(after: start)..<end])
      rest = rest[rest.index(after: end)...]
      if tag.hasPrefix("!") { continue }
      let name = String(tag.prefix { $0 != " " })
      if name.hasPrefix("/") {
        #expect(open.popLast() == String(name.dropFirst()), comment)
      } else {
        tags.append(tag)
        if !["meta", "img"].contains(name) { open.append(name) }
      }
    }
    #expect(open.isEmpty, comment)
    return tags
  }

  static let hostile = [
    "<script>alert(1)</script>", "</pre></details></main><script>alert(2)</script>", "\"><img src=x onerror=alert(3)>",
    "' onmouseover='alert(4)", "```\n</pre><script>alert(5)</script>", "`<b onclick=alert(6)>`", "**<i>**", "# <h1>x",
    "javascript:alert(7)", "<!-- ", "&lt;script&gt;", "]]>", "\u{0}\u{8}\u{1B}[31m\u{202E}evil",
    "</title><svg onload=alert(8)>",
    "</style><script>alert(9)</script>",
  ]

  @Test(arguments: hostile) func `shows text as text, wherever it stands`(text: String) throws {
    let call = ToolCall(id: "c<\(text)", name: text, arguments: [text: .string(text)])
    let broken = ToolCall(id: "d", name: "n", arguments: .unparsed(text: text, reason: text))
    let events: [AgentEvent] =
      [
        .sessionUpdated(SessionUpdated(title: text)),
        .modelCall(ModelCallStarted(model: text, messageId: "m")),
        .modelCallEnded(ModelCallEnded(error: CallFailure(code: text, message: text))),
      ] + Self.prompt(text) + [
        Self.reply(text, [call, broken]),
        .assistantMessage(
          AssistantMessage(
            messageId: "t",
            message: Message(
              role: .assistant,
              content: [
                .thinking(Thinking(text: text)),
                .media(Media(kind: .image, mimeType: "image/png", name: text, source: .data(base64: text))),
                .media(Media(kind: .image, mimeType: text, source: .data(base64: "AAAA"))),
                .media(Media(kind: .file, mimeType: text, name: text, source: .url("javascript:\(text)"))),
              ]))),
        .approvalRequested(ApprovalRequested(approvalId: "a", call: call, options: [])),
        .approvalResolved(ApprovalResolved(approvalId: "a", decision: .allow, scope: text, by: text)),
        .toolStarted(ToolStarted(call: call, effect: .once)),
        .toolFinished(
          ToolFinished(
            ToolResult(callId: call.id, name: text, content: [.text(text)], isError: true, code: .init(rawValue: text)))
        ),
        .warning(Warning(code: text, message: text)), .cancelRequested(CancelRequested(by: text)),
        .compacted(Compacted(policy: text, fromSeq: 1, toSeq: 2, summary: [.text(text)], reason: text, epoch: 2)),
        .failed(Failed(code: text, message: text, retryable: false)),
      ]
    let page = Self.page(events)
    let plain = Self.page(Self.prompt("hi"))
    let known = Set(
      [
        "html", "head", "meta", "title", "style", "body", "header", "h1", "p", "i", "dl", "div", "dt", "dd", "details",
        "summary", "span", "table", "thead", "tbody", "tr", "th", "td", "b", "main", "article", "time", "pre", "code",
        "strong", "img", "footer",
      ])
    let attributes = Set([
      "lang", "charset", "name", "content", "http-equiv", "class", "dir", "style", "open", "alt", "loading", "src",
    ])
    for tag in Self.tags(page, "\(text)") {
      let name = tag.prefix { $0 != " " }
      #expect(known.contains(String(name)), "<\(tag)>")
      // Attribute names: what stands before ="; values hold no quotes, since these are escaped.
      for part in tag.split(separator: "\"", omittingEmptySubsequences: false).enumerated() where part.offset % 2 == 0 {
        for word in part.element.split(separator: " ").dropFirst(part.offset == 0 ? 1 : 0) {
          let attribute = word.prefix { $0 != "=" }
          #expect(attributes.contains(String(attribute)), "\(attribute) in <\(tag)>")
        }
      }
    }
    #expect(!plain.contains("<script"))
    for scalar in page.unicodeScalars where scalar.value < 0x20 { #expect([0x09, 0x0A].contains(scalar.value)) }
    #expect(page.contains("default-src 'none'"))
  }

  @Test func `any text in any order of events keeps the page whole`() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    for round in 0..<60 {
      var events: [AgentEvent] = []
      var calls: [ToolCall] = []
      for step in 0..<Int.random(in: 1...120, using: &random) {
        let text = random.pick(Self.hostile + ["plain", "", "a `b` **c**\n\n```swift\nlet x = 1\n```\nd"])
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1: events += Self.prompt(text)
        case 2:
          let call = ToolCall(id: "c\(step)", name: "look", arguments: ["text": .string(text)])
          calls.append(call)
          events.append(Self.reply(text, [call]))
        case 3:
          if let call = calls.randomElement(using: &random) {
            events.append(.toolStarted(ToolStarted(call: call, effect: .readOnly)))
          }
        case 4:
          if let call = calls.randomElement(using: &random) {
            events.append(
              .toolFinished(ToolFinished(ToolResult(callId: call.id, name: "look", content: [.text(text)]))))
          }
        case 5: events.append(.rewound(Rewound(toSeq: Int.random(in: 1...events.count + 1, using: &random))))
        case 6: events.append(.finished(Finished(iterations: 1, reason: random.pick(FinishReason.allCases))))
        default: events.append(Self.reply(text))
        }
      }
      _ = Self.tags(Self.page(events), "seed \(seed), round \(round)")
    }
  }

  @Test func `tells of calls, of what was taken back, and folds a long session`() throws {
    let call = ToolCall(id: "c", name: "read_file", arguments: ["path": "a.txt"])
    let page = Self.page(
      Self.prompt("What is in it?") + [
        Self.reply("Let me **see**.", [call]), .toolStarted(ToolStarted(call: call, effect: .readOnly)),
        .toolFinished(
          ToolFinished(
            ToolResult(callId: "c", name: "read_file", content: [.text(String(repeating: "x", count: 4_200))]),
            durationMs: 1_234)),
        Self.reply("Only `x`:\n```\nxxx\n```"), .finished(Finished(iterations: 2, reason: .answered)),
      ] + Self.prompt("Never mind") + [Self.reply("As you like."), .rewound(Rewound(toSeq: 8))])
    for part in [
      "<h1 dir=\"auto\">What is in it?</h1>", "<strong>see</strong>", "<code>x</code>", "<pre>xxx</pre>", "4.2 KB",
      "1.2 s",
      "<b>read_file</b> path=a.txt", "Taken back <span class=\"count\">3 records</span>", "<td>4.2 KB</td>",
    ] { #expect(page.contains(part), "\(part)") }
    #expect(!page.contains("class=\"turn\"") && !page.contains("&amp;lt;"))
    var events: [AgentEvent] = []
    for index in 0..<40 { events += Self.prompt("Question \(index)") + [Self.reply("Answer \(index)")] }
    let long = Self.page(events)
    #expect(long.components(separatedBy: "<details class=\"turn\">").count == 31)
    #expect(long.components(separatedBy: "<details class=\"turn\" open>").count == 11)
  }

  @Test func `says sizes in words`() {
    #expect(
      [0, 1, 999, 1_000, 1_049, 1_050, 4_200, 99_940, 999_949, 999_950, 1_500_000, 2_000_000_000].map(ResultSize.short)
        == [
          "0 bytes", "1 byte", "999 bytes", "1 KB", "1 KB", "1.1 KB", "4.2 KB", "99.9 KB", "999 KB", "1 MB", "1.5 MB",
          "2 GB",
        ])
  }
}
