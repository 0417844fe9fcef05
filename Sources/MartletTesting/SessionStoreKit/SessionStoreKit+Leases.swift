import Martlet

extension SessionStoreKit {
  static let leases: [SessionStoreCheck] = [
    SessionStoreCheck("a second lease is refused with the name of the holder") { subject in
      let store = subject.store
      let lease = try await store.acquire(session: "s", owner: owner, holder: "first holder")
      let error = try await SessionStoreCheck.expect(.leaseHeld) {
        _ = try await store.acquire(session: "s", owner: owner, holder: "second")
      }
      try expect(error.message.contains("first holder"), "the holder is not named: \(error.message)")
      try await store.append([created("s")], lease: lease)
      await store.release(lease)
      let next = try await store.acquire(session: "s", owner: owner, holder: "second")
      try expect(next.previousHolder == nil, "a holder that let go is called gone")
      await store.release(next)
    },
    SessionStoreCheck("a lease that was given back, or is older, appends nothing") { subject in
      let store = subject.store
      let old = try await store.acquire(session: "s", owner: owner, holder: "old")
      try await store.append([created("s")], lease: old)
      await store.release(old)
      try await SessionStoreCheck.expect(.leaseLost) { try await store.append([prompt(2, "s", "x")], lease: old) }
      let new = try await store.acquire(session: "s", owner: owner, holder: "new")
      try expect(new.generation != old.generation, "two leases have one generation")
      try await SessionStoreCheck.expect(.leaseLost) { try await store.append([prompt(2, "s", "x")], lease: old) }
      await store.release(old)
      try await store.append([prompt(2, "s", "y")], lease: new)
      let texts = try await all(store, "s").compactMap { SearchText.text(of: $0.event) }
      try expect(texts == ["y"], "the old lease has written")
      await store.release(new)
    },
    SessionStoreCheck("sessions are apart, also with ids that are hard as names") { subject in
      let store = subject.store
      let ids = [
        "a", "A", "a/b", "../a", ".", "a%2fb", "ä\u{1F600}", "a b", "a\0b", "%", String(repeating: "n", count: 80),
      ]
      var leases: [SessionLease] = []
      for id in ids { leases.append(try await store.acquire(session: id, owner: owner, holder: "kit")) }
      for (id, lease) in zip(ids, leases) {
        try await store.append([created(id), prompt(2, id, "of \(id)")], lease: lease)
      }
      for id in ids { try expect(try await all(store, id).last?.session == id, "\(id) has the records of another") }
      for lease in leases { await store.release(lease) }
      try expect(Set(try await store.sessions(owner: owner).map(\.id)) == Set(ids), "the list has other sessions")
    },
    SessionStoreCheck("the sessions of another owner do not exist") { subject in
      let store = subject.store
      let mine = try await store.acquire(session: "s", owner: "me", holder: "kit")
      let yours = try await store.acquire(session: "s", owner: "you", holder: "kit")
      try await store.append([created("s"), prompt(2, "s", "mine alone")], lease: mine)
      try await store.append([created("s")], lease: yours)
      await store.release(mine)
      await store.release(yours)
      try expect(try await store.records(of: "s", owner: "you", after: 0, limit: 9).count == 1, "records are mixed up")
      try await SessionStoreCheck.expect(.notFound) {
        _ = try await store.records(of: "s", owner: "they", after: 0, limit: 9)
      }
      try expect(try await store.search("mine", owner: "you", limit: 9).isEmpty, "a search finds another's records")
      try expect(try await store.sessions(owner: "they").isEmpty, "a stranger sees sessions")
      try await store.delete(session: "s", owner: "you")
      try expect(try await store.records(of: "s", owner: "me", after: 0, limit: 9).count == 2, "another's was deleted")
      try await SessionStoreCheck.expect(.notFound) {
        try await store.fork(created("f", at: 2, origin: SessionOrigin(session: "s", seq: 1)), owner: "you")
      }
    },
    SessionStoreCheck("many that want a session at once: one gets it at a time") { subject in
      let store = subject.store
      try await fill(store, "s", [])
      let count = try await withThrowingTaskGroup(of: Bool.self) { group in
        for index in 0..<20 {
          group.addTask {
            let lease: SessionLease
            do { lease = try await store.acquire(session: "s", owner: owner, holder: "task \(index)") } catch let error
              as SessionError where error.code == .leaseHeld
            { return false }
            let last = try await all(store, "s").count
            try await store.append([prompt(last + 1, "s", "by \(index)")], lease: lease)
            await store.release(lease)
            return true
          }
        }
        var count = 0
        for try await hadIt in group where hadIt { count += 1 }
        return count
      }
      try expect(count >= 1, "nobody got it")
      try expect(try await all(store, "s").count == count + 1, "not every holder's record is there")
    },
  ]
}
