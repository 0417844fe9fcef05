import Testing

@testable import MartletProcess

@Suite struct InputQueueTests {
  @Test func `writes go out in order and each is told when it is whole`() async throws {
    var queue = InputQueue()
    let (first, second) = (Latch(), Latch())
    _ = queue.append([1, 2, 3], done: first)
    _ = queue.append([4], done: second)
    #expect(queue.advance(by: 2) == nil)
    #expect(queue.next?.offset == 2)
    #expect(queue.advance(by: 1) === first)
    #expect(queue.next?.bytes == [4])
    #expect(queue.advance(by: 1) === second)
    #expect(queue.isEmpty)
  }

  @Test func `a write that has begun cannot be taken back`() {
    var queue = InputQueue()
    let first = queue.append([1, 2], done: nil)
    let second = queue.append([3], done: nil)
    let third = queue.append([4], done: nil)
    _ = queue.advance(by: 1)
    queue.withdraw(first)
    queue.withdraw(second)
    queue.withdraw(second)
    _ = queue.advance(by: 1)
    #expect(queue.next?.bytes == [4])
    queue.withdraw(third)
    #expect(queue.next == nil)
  }

  @Test func `a failure reaches all that wait`() {
    var queue = InputQueue()
    let waiting = (0..<200).map { _ in Latch() }
    for done in waiting { _ = queue.append([0], done: done) }
    for done in waiting.prefix(150) { #expect(queue.advance(by: 1) === done) }
    let failed = queue.fail()
    #expect(failed.count == 50)
    #expect(zip(failed, waiting.suffix(50)).allSatisfy { $0 === $1 })
    #expect(queue.isClosed)
    #expect(queue.isEmpty)
  }
}

@Suite struct ExitWatchTests {
  @Test func `without pidfds the end is still seen at once`() async throws {
    for code in Int32(0)..<20 {
      let spawned = try await SpawnedProcess.start(ProcessProbe.shell("echo hi; exit \(code)"), hasInput: false)
      let sink = OutputPort.Sink.capture(OutputCapture(limit: 100))
      let core = ChildCore(
        spawned, reactor: try Reactor.shared(), limits: ProcessLimits(), output: sink, error: sink, usesPidfd: false)
      let outcome = await core.waitUntilEnded()
      #expect(outcome.status == .exited(code))
      #expect(outcome.output.bytes == Array("hi\n".utf8))
    }
  }
}
