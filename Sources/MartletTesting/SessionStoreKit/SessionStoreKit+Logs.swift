import Martlet
import MartletJSON

extension SessionStoreKit {
  /// Records that are hard to keep: every value exact, unknown fields and types, long and strange texts.
  static func difficult(_ session: String) throws -> [EventRecord] {
    let long = String(repeating: "long text, ", count: 20_000)
    let strange = "a\u{0}b\n\r\u{2028}\"\\\u{1F600}e\u{301}\u{FEFF} \u{7F}"
    var unknown = record(4, session, .warning(Warning(code: "c", message: strange)))
    unknown.unknownFields = ["later": ["deep": [1, 2.50, "x", nil]], "large": "record"]
    let call = ToolCall(
      id: "call_1", name: "t", arguments: .object(["n": .number(JSONNumber(9_007_199_254_740_993)), "z": 1, "a": [:]]))
    let records = [
      created(session, title: strange),
      record(
        2, session,
        .context(
          PromptContext(
            instructions: [.text(long)], tools: [], model: "m/1", options: ModelOptions(), epoch: 1))),
      prompt(3, session, long), unknown,
      record(
        5, session,
        .assistantMessage(
          AssistantMessage(
            messageId: "m5",
            message: Message(
              role: .assistant,
              content: [
                .text(strange), .text(long),
                ContentBlock(
                  .toolCall(call), extra: BlockExtra(provider: "p", model: "m", value: ["sig": .string(long)])),
              ]), stopReason: .toolUse))),
      record(
        6, session,
        .unknown(UnknownEvent(type: "from_later", fields: ["x": .string(long), "y": [["z": 0.1]]], isDurable: true))),
    ]
    // As a reader has them: an event of an unknown type keeps all fields of its record.
    return try records.map { try EventRecord(json: $0.json) }
  }

  static let logs: [SessionStoreCheck] = [
    SessionStoreCheck("records come back exactly as they were appended") { subject in
      let store = subject.store
      let lease = try await store.acquire(session: "s", owner: owner, holder: "kit")
      let records = try difficult("s")
      for record in records { try await store.append([record], lease: lease) }
      let back = try await all(store, "s")
      try expect(back.count == records.count, "\(back.count) records came back of \(records.count)")
      for (record, original) in zip(back, records) {
        try expect(record == original, "record \(original.seq ?? 0) came back changed")
        try expect(record.json.bytes() == original.json.bytes(), "record \(original.seq ?? 0) has other bytes")
      }
      await store.release(lease)
    },
    SessionStoreCheck("records are read in pages after a cursor") { subject in
      let store = subject.store
      try await fill(store, "s", (0..<40).map { "text \($0)" })
      var seen: [Int?] = []
      while true {
        let page = try await store.records(of: "s", owner: owner, after: seen.count, limit: 7)
        if page.isEmpty { break }
        try expect(page.count <= 7, "a page has \(page.count) records, more than asked for")
        seen += page.map(\.seq)
      }
      try expect(seen == (1...41).map { $0 }, "the pages have other records: \(seen)")
      for cursor in [41, 42, 1_000_000, Int.max] {
        let rest = try await store.records(of: "s", owner: owner, after: cursor, limit: 5)
        try expect(rest.isEmpty, "there are records after \(cursor)")
      }
      try expect(
        try await store.records(of: "s", owner: owner, after: -5, limit: 2).map(\.seq) == [1, 2],
        "a cursor below 0 is not the beginning")
      try expect(try await store.records(of: "s", owner: owner, after: 0, limit: 0).isEmpty, "a limit of 0 gives some")
    },
    SessionStoreCheck("a session that is not there is an error, and one under a new lease is empty") { subject in
      let store = subject.store
      try await SessionStoreCheck.expect(.notFound) { _ = try await all(store, "nobody") }
      let lease = try await store.acquire(session: "new", owner: owner, holder: "kit")
      try expect(try await all(store, "new").isEmpty, "a new session has records")
      try expect(try await store.sessions(owner: owner).isEmpty, "a session without records is listed")
      await store.release(lease)
      try await SessionStoreCheck.expect(.notFound) { _ = try await all(store, "new") }
    },
    SessionStoreCheck("an append that does not follow the last record appends nothing") { subject in
      let store = subject.store
      let lease = try await store.acquire(session: "s", owner: owner, holder: "kit")
      try await store.append([created("s"), prompt(2, "s", "a")], lease: lease)
      for wrong in [
        [prompt(2, "s", "again")], [prompt(4, "s", "gap")], [prompt(3, "s", "b"), prompt(5, "s", "gap inside")],
        [prompt(3, "s", "b"), prompt(3, "s", "twice")],
        [EventRecord(time: created("s").time, session: "s", event: .warning(Warning(code: "c", message: "no number")))],
      ] {
        try await SessionStoreCheck.expect(.sequenceConflict) { try await store.append(wrong, lease: lease) }
        try expect(try await all(store, "s").map(\.seq) == [1, 2], "something of a wrong append was stored")
      }
      try await store.append([], lease: lease)
      try await store.append([prompt(3, "s", "b")], lease: lease)
      try expect(try await all(store, "s").map(\.seq) == [1, 2, 3], "the session does not go on")
      await store.release(lease)
    },
    SessionStoreCheck("appends of many records keep their order") { subject in
      let store = subject.store
      let lease = try await store.acquire(session: "s", owner: owner, holder: "kit")
      let records = [created("s")] + (2...2_500).map { prompt($0, "s", "text \($0)") }
      var rest = records[...]
      var size = 1
      while !rest.isEmpty {
        try await store.append(Array(rest.prefix(size)), lease: lease)
        rest = rest.dropFirst(size)
        size = size * 3 % 700 + 1
      }
      try expect(try await all(store, "s") == records, "the records are others, or in another order")
      await store.release(lease)
    },
  ]
}
