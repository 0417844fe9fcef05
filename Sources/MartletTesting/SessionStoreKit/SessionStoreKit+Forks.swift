import Martlet

extension SessionStoreKit {
  static func fork(_ store: any SessionStore, _ id: String, of session: String, at seq: Int) async throws {
    try await store.fork(created(id, at: seq + 1, origin: SessionOrigin(session: session, seq: seq)), owner: owner)
  }

  private static func texts(_ store: any SessionStore, _ session: String) async throws -> [String] {
    let records = try await all(store, session)
    try expect(records.map(\.seq) == (1...records.count).map { $0 }, "\(session) has gaps: \(records.map(\.seq))")
    return records.compactMap { SearchText.text(of: $0.event) }
  }

  static func extend(_ store: any SessionStore, _ session: String, _ text: String) async throws {
    let lease = try await store.acquire(session: session, owner: owner, holder: "kit")
    let last = try await all(store, session).count
    try await store.append([prompt(last + 1, session, text)], lease: lease)
    await store.release(lease)
  }

  static let forks: [SessionStoreCheck] = [
    SessionStoreCheck("a fork shares the past, and both go on by themselves") { subject in
      let store = subject.store
      try await fill(store, "a", ["one", "two", "three"])
      try await fork(store, "b", of: "a", at: 3)
      try expect(try await texts(store, "b") == ["one", "two"], "the fork begins otherwise")
      try await extend(store, "b", "b goes on")
      try await extend(store, "a", "a goes on")
      try await fork(store, "c", of: "b", at: 5)
      try await extend(store, "c", "c goes on")
      try await fork(store, "d", of: "c", at: 2)
      try expect(try await texts(store, "a") == ["one", "two", "three", "a goes on"], "the parent was changed")
      try expect(try await texts(store, "b") == ["one", "two", "b goes on"], "the fork is wrong")
      try expect(try await texts(store, "c") == ["one", "two", "b goes on", "c goes on"], "the fork's fork is wrong")
      try expect(try await texts(store, "d") == ["one"], "a fork within the shared part is wrong")
      let sessions = try await all(store, "c").map(\.session)
      try expect(sessions == ["a", "a", "a", "b", "b", "c", "c"], "records name other sessions: \(sessions)")
      for cursor in 0...7 {
        let page = try await store.records(of: "c", owner: owner, after: cursor, limit: 3)
        let wanted = (cursor + 1..<cursor + 4).filter { $0 <= 7 }
        try expect(page.map(\.seq) == wanted.map { $0 }, "after \(cursor) come \(page.map(\.seq))")
      }
      let list = try await store.sessions(owner: owner)
      try expect(
        Dictionary(uniqueKeysWithValues: list.map { ($0.id, $0.lastSeq) }) == ["a": 5, "b": 5, "c": 7, "d": 3],
        "the list has \(list.map { "\($0.id): \($0.lastSeq)" })")
      try expect(try await store.search("two", owner: owner, limit: 9).map(\.session) == ["a"], "it is found twice")
    },
    SessionStoreCheck("shared records outlive the session that they come from") { subject in
      let store = subject.store
      try await fill(store, "a", ["one", "two", "three"])
      try await fork(store, "b", of: "a", at: 3)
      try await fork(store, "c", of: "b", at: 4)
      try await store.delete(session: "a", owner: owner)
      try await SessionStoreCheck.expect(.notFound) { _ = try await all(store, "a") }
      try expect(try await store.sessions(owner: owner).map(\.id).sorted() == ["b", "c"], "the deleted one is listed")
      try expect(try await texts(store, "b") == ["one", "two"], "the fork lost its past")
      try await store.delete(session: "b", owner: owner)
      try expect(try await texts(store, "c") == ["one", "two"], "the fork's fork lost its past")
      try await extend(store, "c", "goes on")
      try await store.delete(session: "c", owner: owner)
      try expect(try await store.sessions(owner: owner).isEmpty, "something is listed")
      for word in ["one", "two", "three", "goes"] {
        try expect(try await store.search(word, owner: owner, limit: 9).isEmpty, "\(word) is found still")
      }
      try await fill(store, "a", ["anew"])
      try expect(try await texts(store, "a") == ["anew"], "the id cannot be used again")
    },
    SessionStoreCheck("a fork that cannot be is refused") { subject in
      let store = subject.store
      try await fill(store, "a", ["one", "two"])
      try await fill(store, "b", [])
      try await SessionStoreCheck.expect(.notFound) { try await fork(store, "x", of: "nobody", at: 1) }
      try await SessionStoreCheck.expect(.exists) { try await fork(store, "b", of: "a", at: 1) }
      for seq in [0, -1, 4, 100] {
        try await SessionStoreCheck.expect(.sequenceConflict) { try await fork(store, "x", of: "a", at: seq) }
      }
      try await SessionStoreCheck.expect(.sequenceConflict) {
        try await store.fork(created("x", at: 5, origin: SessionOrigin(session: "a", seq: 2)), owner: owner)
      }
      try expect(try await store.sessions(owner: owner).count == 2, "a fork was made")
    },
    SessionStoreCheck("a session that is in use can be forked") { subject in
      let store = subject.store
      let lease = try await store.acquire(session: "a", owner: owner, holder: "kit")
      try await store.append([created("a"), prompt(2, "a", "one")], lease: lease)
      try await fork(store, "b", of: "a", at: 2)
      try await store.append([prompt(3, "a", "two")], lease: lease)
      try await extend(store, "b", "other")
      try expect(try await texts(store, "a") == ["one", "two"], "the parent was changed")
      try expect(try await texts(store, "b") == ["one", "other"], "the fork is wrong")
      await store.release(lease)
    },
  ]

  static let blobs: [SessionStoreCheck] = [
    SessionStoreCheck("blobs are kept under their ids, the last bytes count, and they go with the session") { subject in
      guard let store = subject.store as? any BlobStore else { return }
      let lease = try await store.acquire(session: "s", owner: owner, holder: "kit")
      try await store.append([created("s")], lease: lease)
      let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      try await store.keep(bytes, id: "call/1", lease: lease)
      try await store.keep([], id: "empty", lease: lease)
      try await store.keep([1], id: "twice", lease: lease)
      try await store.keep([2, 0, 3], id: "twice", lease: lease)
      try expect(try await store.blob("call/1", session: "s", owner: owner) == bytes, "the bytes are others")
      try expect(try await store.blob("empty", session: "s", owner: owner) == [], "an empty blob is not kept")
      try expect(try await store.blob("twice", session: "s", owner: owner) == [2, 0, 3], "the first bytes stayed")
      try expect(try await store.blob("none", session: "s", owner: owner) == nil, "there is what was never kept")
      try expect(try await store.blob("call/1", session: "s", owner: "you") == nil, "another owner reads it")
      await store.release(lease)
      try await SessionStoreCheck.expect(.leaseLost) { try await store.keep([9], id: "late", lease: lease) }
      try await store.delete(session: "s", owner: owner)
      try expect(try await store.blob("call/1", session: "s", owner: owner) == nil, "it outlives its session")
    },
    SessionStoreCheck("a fork has the blobs of its past, also when its parent is gone") { subject in
      guard let store = subject.store as? any BlobStore else { return }
      func keep(_ text: String, _ id: String, in session: String) async throws {
        let lease = try await store.acquire(session: session, owner: owner, holder: "kit")
        try await store.keep(Array(text.utf8), id: id, lease: lease)
        await store.release(lease)
      }
      func kept(_ id: String, in session: String) async throws -> String? {
        try await store.blob(id, session: session, owner: owner).map { String(decoding: $0, as: UTF8.self) }
      }
      try await fill(store, "a", ["one", "two"])
      try await keep("of a", "call", in: "a")
      try await keep("only of a", "other", in: "a")
      try await fork(store, "b", of: "a", at: 3)
      try await fork(store, "c", of: "b", at: 4)
      try expect(try await kept("call", in: "c") == "of a", "a fork's fork has not what was kept")
      try await keep("of b", "call", in: "b")
      try expect(try await kept("call", in: "b") == "of b", "a fork's own does not count")
      try expect(try await kept("call", in: "a") == "of a", "the parent has what the fork kept")
      for parent in ["a", "b"] { try await store.delete(session: parent, owner: owner) }
      try expect(try await kept("other", in: "c") == "only of a", "it went with the parent")
      try expect(try await kept("other", in: "a") == nil, "a deleted session gives it")
      try await store.delete(session: "c", owner: owner)
      try await fill(store, "a", ["anew"])
      try expect(try await kept("other", in: "a") == nil, "it outlives the last fork")
    },
  ]
}
