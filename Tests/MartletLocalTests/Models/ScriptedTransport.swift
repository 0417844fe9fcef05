import MartletHTTP
import MartletSync

/// Answers requests from a script, in order, and remembers them; an unscripted request fails.
final class ScriptedTransport: HTTPTransport {
  typealias Answer = @Sendable (HTTPRequest) throws -> HTTPResponse

  private struct State {
    var answers: [Answer]
    var requests: [HTTPRequest] = []
  }

  private let state: Locked<State>

  init(_ answers: [Answer]) { state = Locked(State(answers: answers)) }

  var requests: [HTTPRequest] { state.withLock { $0.requests } }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let answer: Answer? = state.withLock { state in
      state.requests.append(request)
      return state.answers.isEmpty ? nil : state.answers.removeFirst()
    }
    guard let answer else { throw HTTPError(.cannotConnect, "No answer was scripted.") }
    return try answer(request)
  }
}

/// Gives these chunks, then an error if there is one.
final class BrokenBody: HTTPBodySource {
  private let chunks: Locked<ArraySlice<[UInt8]>>
  private let error: any Error

  init(_ chunks: [[UInt8]], then error: any Error) {
    self.chunks = Locked(chunks[...])
    self.error = error
  }

  func next() async throws -> [UInt8]? {
    if let chunk = chunks.withLock({ $0.popFirst() }) { return chunk }
    throw error
  }
}
