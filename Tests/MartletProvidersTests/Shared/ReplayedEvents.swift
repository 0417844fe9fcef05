import Martlet
import MartletHTTP
import MartletJSON

/// The events of a model's reply to one fixed response.
func events(
  _ body: String, status: Int = 200, headers: HTTPHeaders = ["content-type": "text/event-stream"],
  chunkSize: Int? = nil, model: (ReplayTransport) -> any LanguageModel
) async throws -> [ModelEvent] {
  let transport = ReplayTransport(Array(body.utf8), chunkSize: chunkSize, status: status, headers: headers)
  var events: [ModelEvent] = []
  for try await event in model(transport).stream(ModelRequest(messages: [.user("Hi")])) { events.append(event) }
  return events
}

/// The error that a model's reply ends with; nil when it ends well.
func failure(
  _ body: String, status: Int = 200, headers: HTTPHeaders = ["content-type": "text/event-stream"],
  model: (ReplayTransport) -> any LanguageModel
) async -> ModelError? {
  do {
    _ = try await events(body, status: status, headers: headers, model: model)
    return nil
  } catch {
    return error as? ModelError
  }
}

/// A stream of events.
func stream(_ data: String...) -> String { data.map { "data: \($0)\n\n" }.joined() }

extension [ModelEvent] {
  /// The blocks that count, in order.
  var blocks: [ContentBlock] {
    var blocks: [Int: ContentBlock] = [:]
    for case .block(let block, let index) in self { blocks[index] = block }
    return blocks.sorted { $0.key < $1.key }.map(\.value)
  }

  var finish: (reason: StopReason, usage: Usage)? {
    for case .finished(let reason, let usage) in self { return (reason, usage) }
    return nil
  }

  var previewedText: String {
    var text = ""
    for case .text(let delta, _) in self { text += delta }
    return text
  }

  var previewedThinking: String {
    var text = ""
    for case .thinking(let delta, _) in self { text += delta }
    return text
  }

  var previewedArguments: String {
    var text = ""
    for case .toolCallDelta(let delta, _) in self { text += delta.arguments }
    return text
  }

  var warnings: [String] {
    compactMap { if case .warning(let code, _) = $0 { code } else { nil } }
  }
}

extension HTTPRequest {
  /// The body as JSON.
  var json: JSONValue {
    get throws {
      switch body {
      case .segments(let segments): try JSONValue(parsing: Array(segments.joined()))
      case .bytes(let bytes): try JSONValue(parsing: bytes)
      default: .null
      }
    }
  }
}
