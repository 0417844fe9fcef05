public import Martlet
import MartletJSON
import MartletSync

/// A model that says what a script tells it to, turn by turn, and keeps the requests it got.
///
/// A request for which the script has no turn left throws an error that says so.
public final class ScriptedModel: LanguageModel {
  /// One reply of a script.
  public struct Turn: Sendable {
    /// The events, in order; `finished` is added unless it or an error is there.
    public var events: [ModelEvent]
    /// Thrown after the events.
    public var error: (any Error)?
    /// Awaited before the first event: waits, gates, checks.
    public var before: (@Sendable (ModelRequest) async throws -> Void)?

    /// A reply of events.
    public init(
      _ events: [ModelEvent], error: (any Error)? = nil,
      before: (@Sendable (ModelRequest) async throws -> Void)? = nil
    ) {
      self.events = events
      self.error = error
      self.before = before
    }

    /// A reply of blocks, whole, with a stop reason that fits them unless one is given.
    public static func reply(
      _ blocks: [ContentBlock], stop: StopReason? = nil, usage: Usage = Usage(input: 10, output: 5)
    ) -> Self {
      var events: [ModelEvent] = []
      var hasCalls = false
      for (index, block) in blocks.enumerated() {
        if let text = block.text, !text.isEmpty { events.append(.text(text, index: index)) }
        if case .toolCall = block.kind { hasCalls = true }
        events.append(.block(block, index: index))
      }
      events.append(.finished(stop ?? (hasCalls ? .toolUse : .endTurn), usage))
      return Self(events)
    }

    /// A plain answer.
    public static func text(_ text: String) -> Self { reply([.text(text)]) }

    /// Calls, with text before them if not empty.
    public static func calls(_ calls: [ToolCall], text: String = "") -> Self {
      reply((text.isEmpty ? [] : [.text(text)]) + calls.map { .toolCall($0) })
    }

    /// A failure before anything came.
    public static func failure(_ error: any Error) -> Self { Self([], error: error) }
  }

  public let info: ModelInfo
  private let script: @Sendable (Int, ModelRequest) -> Turn?
  private let seen = Locked<[ModelRequest]>([])
  private let keepsRequests: Bool

  /// A model with a list of turns.
  public convenience init(
    _ turns: [Turn], info: ModelInfo = ModelInfo(provider: "scripted", id: "script", price: .free)
  ) {
    self.init(info: info) { index, _ in index < turns.count ? turns[index] : nil }
  }

  /// A model whose turns are made for each request; `index` counts from 0.
  public init(
    info: ModelInfo = ModelInfo(provider: "scripted", id: "script", price: .free), keepsRequests: Bool = true,
    script: @escaping @Sendable (_ index: Int, _ request: ModelRequest) -> Turn?
  ) {
    self.info = info
    self.script = script
    self.keepsRequests = keepsRequests
  }

  /// The requests so far, oldest first.
  public var requests: [ModelRequest] { seen.withLock { $0 } }

  public func stream(_ request: ModelRequest) -> ModelStream {
    let index = seen.withLock { requests -> Int in
      requests.append(keepsRequests ? request : ModelRequest(messages: []))
      return requests.count - 1
    }
    guard let turn = script(index, request) else {
      return ModelStream(
        [],
        error: ModelError(
          code: .invalidRequest,
          message: "the script has no turn \(index + 1): the agent asked more often than expected"))
    }
    return ModelStream { Playing(turn: turn, request: request) }
  }

  private struct Playing: ModelStream.Source {
    var turn: Turn
    let request: ModelRequest
    var hasBegun = false
    var isDone = false

    mutating func next() async throws -> [ModelEvent]? {
      if !hasBegun {
        hasBegun = true
        try await turn.before?(request)
        if !turn.events.isEmpty { return turn.events }
      }
      if let error = turn.error { throw error }
      return nil
    }
  }
}
