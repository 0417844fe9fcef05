import Martlet
import MartletHTTP
import MartletJSON
import MartletSimulators
import Testing

/// A stream that breaks off, at every byte: never half a reply that counts as whole, never a mistake in reading that hides
/// what happened.
@Suite(.timeLimit(.minutes(5))) struct CutStreamTests {
  static let script = SimulatorScript([
    SimulatedReply(
      [
        .thinking("Hm"), .text("Grüße 👋"), .call(SimulatedCall("add", ["a": 2])), .call(SimulatedCall("add", [:])),
      ], pieceSize: 40)
  ])

  /// Answers with the first bytes of a body, and then ends or breaks.
  struct CutTransport: HTTPTransport {
    var status: Int
    var headers: HTTPHeaders
    var bytes: [UInt8]
    var breaks: Bool

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      HTTPResponse(status: status, headers: headers, body: HTTPBody(Source(bytes, breaks: breaks)))
    }

    private actor Source: HTTPBodySource {
      private var bytes: [UInt8]?
      private let breaks: Bool

      init(_ bytes: [UInt8], breaks: Bool) {
        self.bytes = bytes.isEmpty ? nil : bytes
        self.breaks = breaks
      }

      func next() async throws -> [UInt8]? {
        if let bytes {
          self.bytes = nil
          return bytes
        }
        if breaks { throw HTTPError(.connectionLost, "It broke.") }
        return nil
      }
    }
  }

  struct Reading: Equatable {
    var blocks: [Int: ContentBlock] = [:]
    var stop: StopReason?
    var usage: Usage?
  }

  private func read(_ tested: ProviderUnderTest, _ transport: any HTTPTransport) async -> (Reading, (any Error)?) {
    var reading = Reading()
    do {
      let model = tested.makeModel("sk-test", "http://localhost", transport)
      for try await event in model.stream(ModelRequest(messages: [.user("Go")])) {
        switch event {
        case .block(let block, let index): reading.blocks[index] = block
        case .finished(let stop, let usage): (reading.stop, reading.usage) = (stop, usage)
        default: break
        }
      }
      return (reading, nil)
    } catch {
      return (reading, error)
    }
  }

  /// What a transport got as an answer.
  private actor Kept: HTTPTransport {
    private let base: any HTTPTransport
    private(set) var response: (status: Int, headers: HTTPHeaders, bytes: [UInt8])?

    init(_ base: any HTTPTransport) { self.base = base }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      var response = try await base.send(request)
      let bytes = try await response.body.bytes(limit: 1 << 20)
      self.response = (response.status, response.headers, bytes)
      response.body = HTTPBody(bytes)
      return response
    }
  }

  @Test(arguments: ProviderUnderTest.all, [false, true])
  func `at any byte is an error, unless nothing is missing`(_ tested: ProviderUnderTest, _ breaks: Bool) async throws {
    let kept = Kept(ProviderSimulator(tested.provider, script: Self.script).transport)
    let (whole, failure) = await read(tested, kept)
    #expect(failure == nil)
    #expect(whole.blocks.count >= 3)
    let answer = try #require(await kept.response)
    var complete = 0
    // What breaks goes the same way as what ends, but for the error: not every byte of it.
    for count in stride(from: 0, through: answer.bytes.count, by: breaks ? 7 : 1) {
      let (reading, error) = await read(
        tested,
        CutTransport(
          status: answer.status, headers: answer.headers, bytes: Array(answer.bytes.prefix(count)), breaks: breaks))
      if let error {
        let code = (error as? ModelError)?.code
        #expect(code == (breaks ? .connection : .truncatedStream), "after \(count) bytes: \(error)")
        #expect(reading.stop == nil)
      } else {
        // Gemini makes its calls' ids anew.
        #expect(reading.stop == whole.stop && reading.blocks.count == whole.blocks.count, "after \(count) bytes")
        if tested.provider != .gemini { #expect(reading.blocks == whole.blocks, "after \(count) bytes") }
        complete += 1
      }
    }
    // At the earliest once the last event that says something is there. Gemini's streams have none but their end.
    let least = breaks ? 0 : 1
    #expect((least..<400).contains(complete), "\(complete) of \(answer.bytes.count)")
  }
}
