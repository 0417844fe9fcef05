import Martlet

extension SessionStoreKit {
  private static func reopened(_ subject: SessionStoreSubject) async throws -> any SessionStore {
    guard let reopen = subject.reopen else {
      throw SessionStoreCheck.Failure(description: "the subject has no `reopen`, which this check needs")
    }
    return try await reopen()
  }

  private static func crash(_ store: any SessionStore, _ subject: SessionStoreSubject) async throws {
    guard let crash = subject.crash else {
      throw SessionStoreCheck.Failure(description: "the subject has no `crash`, which this check needs")
    }
    try await crash(store)
  }

  static let restarts: [SessionStoreCheck] = [
    SessionStoreCheck("what was appended is there after a restart, exactly") { subject in
      let lease = try await subject.store.acquire(session: "s", owner: owner, holder: "kit")
      let records = try difficult("s")
      try await subject.store.append(records, lease: lease)
      try await crash(subject.store, subject)
      let store = try await reopened(subject)
      try expect(try await all(store, "s") == records, "the records are others after the restart")
      try expect(try await store.search("long", owner: owner, limit: 9).count == 2, "the search forgot")
      try expect(try await store.sessions(owner: owner).map(\.lastSeq) == [6], "the list forgot")
    },
    SessionStoreCheck("a holder that is alive keeps its session from other processes, and they see what it stores") {
      subject in
      let other = try await reopened(subject)
      let lease = try await subject.store.acquire(session: "s", owner: owner, holder: "pid 1 on this machine")
      try await subject.store.append([created("s")], lease: lease)
      let error = try await SessionStoreCheck.expect(.leaseHeld) {
        _ = try await other.acquire(session: "s", owner: owner, holder: "pid 2")
      }
      try expect(error.message.contains("pid 1 on this machine"), "the holder is not named: \(error.message)")
      try await SessionStoreCheck.expect(.leaseHeld) { try await other.delete(session: "s", owner: owner) }
      try expect(try await all(other, "s").count == 1, "the other process sees nothing")
      try await subject.store.append([prompt(2, "s", "more")], lease: lease)
      try expect(try await all(other, "s").count == 2, "the other process sees no news")
      let theirs = try await other.acquire(session: "t", owner: owner, holder: "pid 2")
      try await other.append([created("t")], lease: theirs)
      try await subject.store.append([prompt(3, "s", "still")], lease: lease)
      await subject.store.release(lease)
      let next = try await other.acquire(session: "s", owner: owner, holder: "pid 2")
      try await other.append([prompt(4, "s", "now mine")], lease: next)
      try expect(try await all(subject.store, "s").count == 4, "the first process sees no news")
      await other.release(next)
      await other.release(theirs)
    },
    SessionStoreCheck("a new lease after a crash names who is gone, and fences the old one") { subject in
      let old = try await subject.store.acquire(session: "s", owner: owner, holder: "pid 1")
      try await subject.store.append([created("s")], lease: old)
      try await crash(subject.store, subject)
      let store = try await reopened(subject)
      let new = try await store.acquire(session: "s", owner: owner, holder: "pid 2")
      try expect(new.previousHolder == "pid 1", "the one that is gone is called \(new.previousHolder ?? "nobody")")
      try await store.append([prompt(2, "s", "by the new")], lease: new)
      try await SessionStoreCheck.expect(.leaseLost) { try await store.append([prompt(3, "s", "old")], lease: old) }
      try await SessionStoreCheck.expect(.leaseLost) {
        try await subject.store.append([prompt(3, "s", "old")], lease: old)
      }
      await store.release(old)
      try await store.append([prompt(3, "s", "by the new")], lease: new)
      try expect(try await all(store, "s").count == 3, "the old one has written")
      await store.release(new)
    },
    SessionStoreCheck("several processes append to sessions of their own at once") { subject in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for index in 0..<4 {
          let store = index == 0 ? subject.store : try await reopened(subject)
          group.addTask {
            let lease = try await store.acquire(session: "s\(index)", owner: owner, holder: "pid \(index)")
            try await store.append([created("s\(index)")], lease: lease)
            for seq in 2...30 { try await store.append([prompt(seq, "s\(index)", "text \(seq)")], lease: lease) }
            await store.release(lease)
          }
        }
        try await group.waitForAll()
      }
      for index in 0..<4 { try expect(try await all(subject.store, "s\(index)").count == 30, "records are missing") }
      try expect(
        try await subject.store.search("text", owner: owner, limit: 1_000).count == 116, "the search lacks some")
    },
  ]

  static let damages: [SessionStoreCheck] = [
    SessionStoreCheck("records before a damaged one can be read, and the session goes on when the rest is put aside") {
      subject in
      guard let damage = subject.damage else {
        throw SessionStoreCheck.Failure(description: "the subject has no `damage`, which this check needs")
      }
      try await fill(subject.store, "s", (2...9).map { "text \($0)" })
      try await fill(subject.store, "t", ["sound"])
      try await crash(subject.store, subject)
      try await damage("s", 6)
      let store = try await reopened(subject)
      try expect(try await store.records(of: "s", owner: owner, after: 0, limit: 100).count == 5, "sound ones are lost")
      let error = try await SessionStoreCheck.expect(.damaged) {
        _ = try await store.records(of: "s", owner: owner, after: 5, limit: 100)
      }
      try expect(error.seq == 6, "the damaged record is \(error.seq ?? 0)")
      try expect(try await all(store, "t").count == 2, "a sound session suffers")
      try expect(try await store.sessions(owner: owner).map(\.id).sorted() == ["s", "t"], "it is not listed any more")
      let lease = try await store.acquire(session: "s", owner: owner, holder: "kit")
      let place = try await store.quarantine(from: 6, lease: lease)
      try expect(!place.isEmpty, "the place is not told")
      try expect(try await all(store, "s").count == 5, "the log was not cut")
      try await store.append([prompt(6, "s", "goes on")], lease: lease)
      try expect(try await all(store, "s").map(\.seq) == (1...6).map { $0 }, "the log does not go on")
      await store.release(lease)
    },
    SessionStoreCheck("a session whose beginning cannot be read is listed all the same") { subject in
      guard let damage = subject.damage else { return }
      try await fill(subject.store, "s", ["one"])
      try await fill(subject.store, "t", ["sound"])
      try await crash(subject.store, subject)
      try await damage("s", 1)
      let store = try await reopened(subject)
      try expect(try await store.sessions(owner: owner).map(\.id).sorted() == ["s", "t"], "it is not listed any more")
      let error = try await SessionStoreCheck.expect(.damaged) { _ = try await all(store, "s") }
      try expect(error.seq == 1, "the damaged record is \(error.seq ?? 0)")
    },
    SessionStoreCheck("an agent goes on with a damaged session, and says so") { subject in
      guard let damage = subject.damage else { return }
      try await fill(subject.store, "s", [])
      let model = ScriptedModel([.text("First."), .text("Second.")])
      let agent = Agent(model: model, tools: try ToolRegistry([]), session: "s", owner: owner, store: subject.store)
      _ = try await agent.send("one")
      await agent.close()
      let count = try await all(subject.store, "s").count
      try await crash(subject.store, subject)
      try await damage("s", count)
      let store = try await reopened(subject)
      let next = Agent(model: model, tools: try ToolRegistry([]), session: "s", owner: owner, store: store)
      try expect(try await next.send("two") == "Second.", "there is no answer")
      await next.close()
      let events = try await all(store, "s").map(\.event)
      let isTold = events.contains {
        if case .warning(let warning) = $0 { warning.code == "log_damaged" } else { false }
      }
      try expect(isTold, "the log does not say that it was damaged")
    },
  ]

  static let shortages: [SessionStoreCheck] = [
    SessionStoreCheck("when nothing more can be stored, that is said, nothing is lost, and all goes on afterwards") {
      subject in
      guard let fill = subject.fill else {
        throw SessionStoreCheck.Failure(description: "the subject has no `fill`, which this check needs")
      }
      let store = subject.store
      let lease = try await store.acquire(session: "s", owner: owner, holder: "kit")
      try await store.append([created("s"), prompt(2, "s", "before")], lease: lease)
      try await fill(true)
      let error = try await SessionStoreCheck.expect(.storage) {
        // Some room may be left over: it is used up sooner or later.
        for seq in 3...2_000 {
          try await store.append([prompt(seq, "s", String(repeating: "much ", count: 10_000))], lease: lease)
        }
      }
      try expect(!error.message.isEmpty, "no reason is given")
      let count = try await all(store, "s").count
      try expect(count >= 2, "earlier records are lost")
      try await fill(false)
      try await store.append([prompt(count + 1, "s", "after")], lease: lease)
      try expect(try await all(store, "s").count == count + 1, "it does not go on")
      await store.release(lease)
    }
  ]
}
