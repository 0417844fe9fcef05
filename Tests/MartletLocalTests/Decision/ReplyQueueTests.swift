import MartletSync
import Testing

@testable import MartletLocal

struct ReplyQueueTests {
  @Test func `turns are taken one at a time, and all come`() async throws {
    let queue = ReplyQueue()
    let state = Locked((running: 0, most: 0, done: 0))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<50 {
        group.addTask {
          let turn = try await queue.turn()
          state.withLock { state in
            state.running += 1
            state.most = max(state.most, state.running)
          }
          await Task.yield()
          state.withLock { state in
            state.running -= 1
            state.done += 1
          }
          withExtendedLifetime(turn) {}
        }
      }
      try await group.waitForAll()
    }
    #expect(state.withLock { $0.most } == 1)
    #expect(state.withLock { $0.done } == 50)
  }

  @Test func `who is cancelled while waiting leaves the line, and the next comes`() async throws {
    let queue = ReplyQueue()
    var first: ReplyQueue.Turn? = try await queue.turn()
    let second = Task { try await queue.turn() }
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
    let third = Task { _ = try await queue.turn() }
    withExtendedLifetime(first) {}
    first = nil
    try await third.value
    _ = try await queue.turn()
  }
}
