import Martlet
import MartletHTTP
import MartletJSON
import Testing

@testable import MartletProviders

@Suite(.enabled(if: Recordings.directory != nil, "skipped: there are no recordings beside the package"))
struct OpenAIChatRecordedTests {
  static let isChat = "chat.completions"

  func model(_ recording: Recordings.Recording, provider: String, _ transport: ReplayTransport) -> OpenAIChat {
    let vendors = ["openai-chat": "openai-chat", "gemini": "gemini-openai", "ollama": "ollama-openai"]
    let vendor = ChatVendor.named(vendors[provider] ?? provider) ?? .compatible(baseURL: "http://x")
    return OpenAIChat(recording.model, vendor: vendor, key: nil, transport: transport)
  }

  /// Why a stream is not compared, as far as it is not: nil when it must be equal.
  func exclusion(_ recording: Recordings.Recording) -> String? {
    guard recording.final?["choices"]?.arrayValue?.isEmpty == false else {
      return "the vendor's own client cannot read it (\(recording.note.prefix(60)))"
    }
    return nil
  }

  @Test func `recorded streams assemble to what the vendor's own client makes of them`() async throws {
    for provider in try Recordings.providers() {
      let streams = try Recordings.all(of: provider).filter {
        $0.api == Self.isChat && $0.isStream && $0.status == 200
      }
      guard !streams.isEmpty else { continue }
      var (equal, excluded) = (0, [String]())
      for recording in streams {
        if let reason = exclusion(recording) {
          // It must be read all the same.
          let read = try await ChatReading(of: model(recording, provider: provider, ReplayTransport(recording.body)))
          #expect(read.stop != nil && !(read.text.isEmpty && read.calls.isEmpty), "\(recording.id): \(read)")
          excluded.append("\(recording.id), \(reason)")
          continue
        }
        if await isEqual(recording, provider) { equal += 1 }
      }
      print(
        "\(provider): \(equal) of \(streams.count - excluded.count) recorded streams equal"
          + (excluded.isEmpty ? "" : "; read without comparison: \(excluded.joined(separator: "; "))"))
      #expect(equal == streams.count - excluded.count)
    }
  }

  private func isEqual(_ recording: Recordings.Recording, _ provider: String) async -> Bool {
    guard let final = recording.final else { return false }
    var wanted = ChatReading(final: final)
    wanted.unjoin(body: recording.body)
    for (way, transport) in RecordedWays.transports(for: recording.body) {
      do {
        var got = try await ChatReading(of: model(recording, provider: provider, transport))
        // What the vendor's client does not know of is nothing to compare with.
        if wanted.usage == nil { got.usage = nil }
        if wanted.thinking.isEmpty { wanted.thinking = got.thinking }
        guard got == wanted else {
          Issue.record("\(recording.id), \(way):\n got \(got)\nwant \(wanted)")
          return false
        }
      } catch {
        // A stream without a reason to stop failed or was cut, which the vendor's client lets pass.
        let code = (error as? ModelError)?.code
        if wanted.stop == nil, code == .truncatedStream || recording.note.contains("error event") { continue }
        Issue.record("\(recording.id), \(way): \(error)")
        return false
      }
    }
    return true
  }

  /// Some gateways send the whole message as the one chunk of a stream.
  @Test func `recorded whole answers sent as one chunk are read whole`() async throws {
    for provider in try Recordings.providers() {
      let answers = try Recordings.all(of: provider).filter {
        $0.api == Self.isChat && !$0.isStream && $0.status == 200
      }
      guard !answers.isEmpty else { continue }
      var equal = 0
      for recording in answers {
        let answer = try JSONValue(parsing: recording.body)
        var wanted = ChatReading(final: answer)
        let stream = Array("data: ".utf8) + answer.bytes()
        do {
          var got = try await ChatReading(
            of: model(
              recording, provider: provider, ReplayTransport(stream + Array("\n\ndata: [DONE]\n\n".utf8))))
          if wanted.usage == nil { got.usage = nil }
          if wanted.thinking.isEmpty { wanted.thinking = got.thinking }
          if got == wanted { equal += 1 } else { Issue.record("\(recording.id):\n got \(got)\nwant \(wanted)") }
        } catch {
          // An error under status 200.
          if answer["error"] != nil || answer["choices"] == nil, error is ModelError {
            equal += 1
          } else {
            Issue.record("\(recording.id): \(error)")
          }
        }
      }
      print("\(provider): \(equal) of \(answers.count) recorded whole answers equal")
      #expect(equal == answers.count)
    }
  }

  /// Of all that is not another protocol.
  @Test func `recorded errors become typed errors`() async throws {
    let others = ["anthropic", "bedrock", "bedrock-mantle", "gemini", "vertex", "mcp"]
    for provider in try Recordings.providers() where !others.contains(provider) {
      let recordings = try Recordings.all(of: provider).filter { $0.status >= 400 }
      guard !recordings.isEmpty else { continue }
      var right = 0
      for recording in recordings {
        let transport = ReplayTransport(
          recording.body, status: recording.status,
          headers: HTTPHeaders(recording.headers.map { ($0.name, $0.value) }))
        do {
          _ = try await ChatReading(of: model(recording, provider: provider, transport))
          Issue.record("\(recording.id) counted as a reply")
        } catch let error as ModelError {
          let isFinal = String(decoding: recording.body, as: UTF8.self).contains("insufficient_quota")
          let mayPass = !isFinal && ([408, 409, 429].contains(recording.status) || recording.status >= 500)
          let isRight =
            error.status == recording.status && error.isRetryable == mayPass && error.code != .invalidResponse
            && !error.message.contains("proxy")
          if isRight { right += 1 } else { Issue.record("\(recording.id): \(error)") }
        }
      }
      print("\(provider): \(right) of \(recordings.count) recorded errors right")
      #expect(right == recordings.count)
    }
  }
}
