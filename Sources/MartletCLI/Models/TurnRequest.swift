import Martlet
import MartletJSON

/// The request file of `models turn`.
enum TurnRequest {
  /// Reads it; options of the command line are stronger than the file's own.
  static func read(
    _ path: String, _ options: ModelOptions, _ context: CommandContext
  ) async throws -> JSONValue {
    let text: String
    if path == "-" {
      do {
        text = String(decoding: try await context.input.all(), as: UTF8.self)
      } catch let failure as InputFailure {
        throw CommandFailure.usage("the request cannot be read from standard input: \(failure.reason)")
      }
    } else {
      text = try AgentSetup.readText(path, "the request", context.places)
    }
    var body: JSONValue
    do {
      body = try JSONValue(parsing: text)
    } catch {
      throw CommandFailure.usage(
        "\(path):\(error.position.line):\(error.position.column): \(error.message.lowercasedFirst)")
    }
    guard case .object = body else { throw CommandFailure.usage("\(path):1: the request must be a JSON object") }
    if let value = options.maxOutputTokens { body["max_completion_tokens"] = JSONValue(value) }
    if let value = options.temperature { body["temperature"] = JSONValue(value) }
    if let value = options.seed { body["seed"] = JSONValue(value) }
    return body
  }
}
