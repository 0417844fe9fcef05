import MartletJSON
import MartletTesting
import Testing

@testable import MartletMCP

@Suite struct PeerEngineTests {
  private static let minute = PeerEngine.Patience(silence: .seconds(60), total: .seconds(600))

  private func engine(calls: Int) -> PeerEngine {
    var engine = PeerEngine()
    for _ in 0..<calls { _ = engine.begin("tools/call", [:], patience: Self.minute, now: .zero) }
    return engine
  }

  @Test func `a request always has a progress token, and keeps what else is attached`() {
    var engine = PeerEngine()
    let (id, message) = engine.begin("tools/call", ["_meta": ["a": 1]], patience: Self.minute, now: .zero)
    #expect(message == .request(1, method: "tools/call", params: ["_meta": ["a": 1, "progressToken": 1]]))
    #expect(id == 1)
    #expect(engine.begin("initialize", [:], patience: Self.minute, now: .zero).message.params == nil)
  }

  @Test func `answers find their requests in any order`() {
    var engine = engine(calls: 3)
    #expect(engine.receive(.message(.result(3, ["a": 1])), now: .zero) == [.finish(3, .result(["a": 1]))])
    #expect(engine.receive(.message(.result(1, [:])), now: .zero) == [.finish(1, .result([:]))])
    let error = MCPErrorObject(.invalidParams, "no")
    #expect(engine.receive(.message(.failure(2, error)), now: .zero) == [.finish(2, .failure(MCPError(error)))])
  }

  @Test func `a second answer and an answer to nothing change nothing`() {
    var engine = engine(calls: 1)
    _ = engine.receive(.message(.result(1, [:])), now: .zero)
    #expect(engine.receive(.message(.result(1, [:])), now: .zero) == [.report(.lateReply(1))])
    #expect(engine.receive(.message(.result(9, [:])), now: .zero) == [.report(.strayReply(9))])
    #expect(engine.receive(.message(.result("x", [:])), now: .zero) == [.report(.strayReply("x"))])
  }

  @Test func `an id that comes back as text is taken`() {
    var engine = engine(calls: 1)
    #expect(
      engine.receive(.message(.result("1", [:])), now: .zero) == [
        .report(.replyIDOfOtherType("1")), .finish(1, .result([:])),
      ])
  }

  @Test func `an error without an id fails the oldest request`() {
    var engine = engine(calls: 2)
    let error = MCPErrorObject(.parseError, "what?")
    #expect(
      engine.receive(.message(.failure(nil, error)), now: .zero) == [
        .report(.replyWithoutID), .finish(1, .failure(MCPError(error))),
      ])
    #expect(engine.openCount == 1)
  }

  @Test func `a request is given up when nothing comes, and the peer is told`() throws {
    var engine = engine(calls: 1)
    #expect(engine.nextDeadline == .seconds(60))
    #expect(engine.pass(now: .seconds(59)).isEmpty)
    let effects = engine.pass(now: .seconds(60))
    guard case .finish(1, .failure(let error)) = try #require(effects.first) else {
      Issue.record("\(effects)")
      return
    }
    #expect(error.code == .timedOut)
    #expect(
      effects.dropFirst() == [
        .send(.notification(method: "notifications/cancelled", params: ["requestId": 1, "reason": "timed out"])),
        .abandon(1),
      ])
    // Handed over once, for what it began.
    #expect(engine.receive(.message(.result(1, [:])), now: .zero) == [.report(.lateReply(1)), .unwanted([:])])
    #expect(engine.receive(.message(.result(1, [:])), now: .zero) == [.report(.lateReply(1))])
  }

  @Test func `progress renews the patience, up to a limit`() {
    var engine = engine(calls: 1)
    func step(_ seconds: Int) -> [PeerEngine.Effect] {
      engine.receive(
        .message(
          .notification(
            method: "notifications/progress",
            params: ["progressToken": 1, "progress": JSONValue(seconds), "total": 9, "message": "m"])),
        now: .seconds(seconds))
    }
    #expect(step(50) == [.progress(1, MCPProgress(50, total: 9, message: "m"))])
    #expect(engine.nextDeadline == .seconds(110))
    for seconds in stride(from: 100, through: 590, by: 50) { _ = step(seconds) }
    #expect(engine.nextDeadline == .seconds(600))
    #expect(!engine.pass(now: .seconds(600)).isEmpty)
    #expect(step(601).isEmpty)
  }

  @Test func `cancelling is told where streams are shared, and closes the stream where they are not`() {
    var engine = engine(calls: 2)
    #expect(engine.cancel(1).count == 3)
    engine.notifiesCancellation = false
    #expect(engine.cancel(2) == [.finish(2, .cancelled), .abandon(2)])
    #expect(engine.cancel(2).isEmpty)
  }

  @Test func `the handshake is never cancelled`() {
    var engine = PeerEngine()
    let (id, _) = engine.begin("initialize", [:], patience: Self.minute, now: .zero)
    #expect(engine.cancel(id) == [.finish(id, .cancelled), .abandon(.integer(id))])
  }

  @Test func `the end fails all that is open, once`() {
    var engine = engine(calls: 2)
    let error = MCPError(.connectionClosed, "gone")
    #expect(engine.end(error) == [.finish(1, .failure(error)), .finish(2, .failure(error))])
    #expect(engine.end(error).isEmpty)
  }

  @Test func `a request of the peer is answered once, and not when it was cancelled`() {
    var engine = PeerEngine()
    let request = MCPIncoming.message(.request("a", method: "ping", params: nil))
    #expect(engine.receive(request, now: .zero) == [.serve("a", method: "ping", params: nil)])
    guard case .send(.failure("a", _)) = engine.receive(request, now: .zero).first else {
      Issue.record("an open id was taken twice")
      return
    }
    #expect(engine.answer("a", .success([:])) == [.send(.result("a", [:]))])
    #expect(engine.answer("a", .success([:])).isEmpty)
    _ = engine.receive(request, now: .zero)
    let cancel = MCPMessage.notification(method: "notifications/cancelled", params: ["requestId": "a"])
    #expect(engine.receive(.message(cancel), now: .zero) == [.stop("a")])
    #expect(engine.answer("a", .success([:])).isEmpty)
  }

  @Test func `a flood of requests is refused beyond a limit`() {
    var engine = PeerEngine()
    var refused = 0
    for id in 0..<Int64(PeerEngine.servedLimit + 10) {
      for case .send(.failure) in engine.receive(
        .message(.request(.integer(id), method: "ping", params: nil)), now: .zero)
      { refused += 1 }
    }
    #expect(refused == 10)
  }

  @Test func `an array of messages is taken apart where the revision has it, and fails what it answers elsewhere`() {
    let batch = MCPIncoming.batch([
      .message(.result(1, [:])), .message(.notification(method: "x", params: nil)),
    ])
    var engine = engine(calls: 1)
    engine.takesBatches = true
    #expect(engine.receive(batch, now: .zero) == [.finish(1, .result([:])), .notify(method: "x", params: nil)])
    engine = self.engine(calls: 1)
    let effects = engine.receive(batch, now: .zero)
    #expect(effects.first == .report(.unexpectedBatch(2)))
    guard case .finish(1, .failure(let error)) = effects.last else {
      Issue.record("\(effects)")
      return
    }
    #expect(error.code == .invalidResponse)
  }

  @Test func `an answer that is too large fails its request`() {
    var engine = engine(calls: 2)
    let fault = MCPFault(.invalidRequest, "too large", id: 2, role: .reply, size: 99, isTooLarge: true)
    guard case .finish(2, .failure(let error)) = engine.receive(.fault(fault), now: .zero).last else {
      Issue.record("nothing failed")
      return
    }
    #expect(error.code == .tooLarge)
  }

  @Test(arguments: 0..<20) func `whatever arrives, each request is finished exactly once`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var engine = PeerEngine()
    var begun: Set<Int64> = []
    var finished: [Int64] = []
    var now = Duration.zero
    func take(_ effects: [PeerEngine.Effect]) {
      for case .finish(let id, _) in effects { finished.append(id) }
    }
    for _ in 0..<300 {
      now += .milliseconds(Int.random(in: 0...500, using: &random))
      let id = Int64.random(in: 0...Int64(begun.count + 1), using: &random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1:
        let patience = PeerEngine.Patience(
          silence: .seconds(Int.random(in: 1...9, using: &random)), total: .seconds(20))
        begun.insert(engine.begin("m", [:], patience: patience, now: now).id)
      case 2: take(engine.receive(.message(.result(.integer(id), [:])), now: now))
      case 3:
        take(
          engine.receive(
            .message(.failure(random.chance(0.3) ? nil : .integer(id), .init(.internalError, ""))), now: now))
      case 4: take(engine.cancel(id))
      case 5: take(engine.pass(now: now))
      case 6: take(engine.receive(.message(.result(.string("\(id)"), [:])), now: now))
      default: take(engine.receive(.lost(.integer(id), MCPError(.httpStatus, "")), now: now))
      }
    }
    take(engine.end(MCPError(.closed, "")))
    #expect(finished.sorted() == begun.sorted(), "seed \(seed)")
  }
}
