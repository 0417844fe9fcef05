import MartletHTTP
import MartletSync

/// The body of an answer, sent as a fault says. Tells once how it ended.
final class SimulatedBody: HTTPBodySource {
  /// What to send and when.
  struct Plan: Sendable {
    enum Ending: Sendable {
      case whole, cut, stall
    }

    var chunks: [[UInt8]]
    var ending = Ending.whole
    var firstDelay: Duration?
    var pace: Duration?
  }

  private struct State {
    var position = 0
    var isOver = false
  }

  private let plan: Plan
  private let clock: any Clock<Duration>
  private let whenOver: @Sendable (SimulatedExchange.End) -> Void
  private let state = Locked(State())

  init(_ plan: Plan, clock: any Clock<Duration>, whenOver: @escaping @Sendable (SimulatedExchange.End) -> Void) {
    self.plan = plan
    self.clock = clock
    self.whenOver = whenOver
  }

  deinit { finish(.abandoned) }

  func next() async throws -> [UInt8]? {
    let position = state.withLock { state in
      defer { state.position += 1 }
      return state.position
    }
    do {
      try Task.checkCancellation()
      if position < plan.chunks.count {
        if let delay = position == 0 ? plan.firstDelay : plan.pace { try await clock.sleep(for: delay) }
        return plan.chunks[position]
      }
      switch plan.ending {
      case .whole:
        finish(.complete)
        return nil
      case .cut:
        finish(.cut)
        throw HTTPError(.connectionLost, "The simulator broke the connection, as its script says.")
      case .stall:
        while true { try await clock.sleep(for: .seconds(3600)) }
      }
    } catch {
      finish(.abandoned)
      throw error
    }
  }

  func finish() { finish(.complete) }

  private func finish(_ end: SimulatedExchange.End) {
    let isFirst = state.withLock { state in
      defer { state.isOver = true }
      return !state.isOver
    }
    if isFirst { whenOver(end) }
  }
}

extension SimulatedBody.Plan {
  /// The bytes of an answer with what a fault does to them.
  init(_ frames: [[UInt8]], _ fault: SimulatedFault?) {
    chunks = frames
    guard let fault else { return }
    firstDelay = fault.firstByteDelay
    pace = fault.pace
    let limits: [(Int?, Ending)] = [(fault.cutAfter, .cut), (fault.stallAfter, .stall), (fault.endAfter, .whole)]
    if let (limit, ending) = limits.compactMap({ limit, ending in limit.map { ($0, ending) } }).min(by: { $0.0 < $1.0 })
    {
      self.ending = ending
      var rest = limit
      chunks = chunks.compactMap { chunk in
        let part = Array(chunk.prefix(rest))
        rest -= part.count
        return part.isEmpty ? nil : part
      }
    }
    if let size = fault.chunkSize {
      let bytes = chunks.joined()
      var cut: [[UInt8]] = []
      var part: [UInt8] = []
      for byte in bytes {
        part.append(byte)
        if part.count == size {
          cut.append(part)
          part = []
        }
      }
      if !part.isEmpty { cut.append(part) }
      chunks = cut
    }
  }
}
