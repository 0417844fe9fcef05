import Martlet
import MartletJSON

extension SessionStoreKit {
  static let lists: [SessionStoreCheck] = [
    SessionStoreCheck("sessions are listed with their dates and titles, the one changed last first") { subject in
      let store = subject.store
      for (index, id) in ["b", "a", "c"].enumerated() {
        let lease = try await store.acquire(session: id, owner: owner, holder: "kit")
        let created = SessionCreated(owner: owner, title: index == 0 ? nil : "first title")
        try await store.append([record(1, id, .sessionCreated(created), minute: index * 10)], lease: lease)
        let updated = SessionUpdated(title: id == "c" ? "title of c" : nil, meta: ["x": 1])
        try await store.append([record(2, id, .sessionUpdated(updated), minute: 50 - index * 10)], lease: lease)
        await store.release(lease)
      }
      let sessions = try await store.sessions(owner: owner)
      try expect(sessions.map(\.id) == ["b", "a", "c"], "the order is \(sessions.map(\.id))")
      try expect(
        sessions.map(\.title) == [nil, "first title", "title of c"], "the titles are \(sessions.map(\.title))")
      try expect(sessions.map(\.lastSeq) == [2, 2, 2], "the lengths are \(sessions.map(\.lastSeq))")
      for (session, index) in zip(sessions, 0...) {
        let first = record(1, "", .warning(Warning(code: "", message: "")), minute: index * 10).time
        let last = record(1, "", .warning(Warning(code: "", message: "")), minute: 50 - index * 10).time
        try expect(session.createdAt == first, "\(session.id) was created at \(session.createdAt), not \(first)")
        try expect(session.updatedAt == last, "\(session.id) was changed at \(session.updatedAt), not \(last)")
      }
    },
    SessionStoreCheck("a deleted session is gone, and a new one may have its id") { subject in
      let store = subject.store
      try await fill(store, "s", ["secret word"])
      try await fill(store, "t", ["other"])
      try await store.delete(session: "s", owner: owner)
      try await store.delete(session: "s", owner: owner)
      try await store.delete(session: "never", owner: owner)
      try await SessionStoreCheck.expect(.notFound) { _ = try await all(store, "s") }
      try expect(try await store.sessions(owner: owner).map(\.id) == ["t"], "it is listed still")
      try expect(try await store.search("secret", owner: owner, limit: 5).isEmpty, "it is found still")
      try await fill(store, "s", ["new"])
      try expect(try await all(store, "s").count == 2, "a new session of the id has other records")
      try expect(try await store.search("secret", owner: owner, limit: 5).isEmpty, "old words are found again")
    },
    SessionStoreCheck("a session that is in use is not deleted") { subject in
      let store = subject.store
      let lease = try await store.acquire(session: "s", owner: owner, holder: "the user")
      try await store.append([created("s")], lease: lease)
      let error = try await SessionStoreCheck.expect(.leaseHeld) {
        try await store.delete(session: "s", owner: owner)
      }
      try expect(error.message.contains("the user"), "the holder is not named: \(error.message)")
      try await store.append([prompt(2, "s", "still here")], lease: lease)
      await store.release(lease)
    },
  ]

  static let searches: [SessionStoreCheck] = [
    SessionStoreCheck("a search finds records with all words, the latest first") { subject in
      let store = subject.store
      try await fill(
        store, "s",
        [
          "The parser reads C-style comments", "the PARSER fails", "Straße nach Oslo, naïve", "日本語のテスト文",
          "say \"quoted\" AND (odd* -signs)", "nothing here",
        ], title: "Parser notes")
      try await fill(store, "t", ["a parser too"])
      let expected: [(String, [Int])] = [
        ("parser", [3, 2, 1, 2]), ("PARS", [3, 2, 1, 2]), ("parser fails", [3]), ("fails parser", [3]),
        ("c-style", [2]), ("comments-c", []), ("straße", [4]), ("STRASSE", []), ("naïve oslo", [4]), ("本語", [5]),
        ("語本", []), ("テスト", [5]), ("\"quoted\"", [6]), ("AND", [6]), ("odd* (signs", [6]), ("arser", []),
        ("", []), (" \n*\"- ", []), ("nobody", []),
      ]
      for (query, seqs) in expected {
        let found = try await store.search(query, owner: owner, limit: 10)
        try expect(found.map(\.seq) == seqs, "\"\(query)\" finds \(found.map { "\($0.session):\($0.seq)" })")
      }
      // Both sessions were changed in the order of their records' times: s has the later ones.
      let first = try await store.search("parser", owner: owner, limit: 2)
      try expect(first.count == 2, "the limit does not hold")
      let match = try await store.search("fails", owner: owner, limit: 1).first
      try expect(match?.excerpt == "the PARSER fails", "the excerpt is \(match?.excerpt ?? "none")")
      try expect(match?.time == prompt(3, "s", "").time, "the time is another")
    },
    SessionStoreCheck("what tools gave and models said is found; what was only asked for or meant is not") { subject in
      let store = subject.store
      let lease = try await store.acquire(session: "s", owner: owner, holder: "kit")
      let call = ToolCall(id: "c1", name: "t", arguments: .object(["q": "argumentword"]))
      let long = String(repeating: "padding ", count: 12_000) + "needle" + String(repeating: " filling", count: 12_000)
      try await store.append(
        [
          created("s"),
          record(
            2, "s",
            .assistantMessage(
              AssistantMessage(
                messageId: "m", message: Message(role: .assistant, content: [.text("replyword"), .toolCall(call)])))),
          record(3, "s", .toolFinished(ToolFinished(ToolResult(callId: "c1", name: "t", content: [.text(long)])))),
        ], lease: lease)
      try expect(try await store.search("replyword", owner: owner, limit: 5).map(\.seq) == [2], "a reply is not found")
      let found = try await store.search("needle", owner: owner, limit: 5)
      try expect(found.map(\.seq) == [3], "a result is not found")
      try expect(found[0].excerpt.contains("needle") && found[0].excerpt.count < 200, "the excerpt is not around it")
      try expect(try await store.search("argumentword", owner: owner, limit: 5).isEmpty, "arguments are found")
      await store.release(lease)
    },
  ]
}
