import Martlet
import MartletHTTP
import MartletJSON

/// One request that is answered with one JSON document: lists of models, counts of tokens.
struct JSONExchange {
  let transport: any HTTPTransport
  let errors: any ProviderErrorReader
  /// Bytes that an answer may have.
  private static let limit = 16 << 20

  /// The document.
  /// - Throws: `ModelError` for any status that is no success and for an answer that is no JSON; `CancellationError`.
  func send(_ request: HTTPRequest) async throws -> JSONValue {
    do {
      let response = try await transport.send(request)
      guard (200..<300).contains(response.status) else {
        try await ResponseCheck(errors: errors, mediaTypes: []).check(response)
        throw ModelError(code: .invalidResponse, message: "\(errors.name) answered with status \(response.status)")
      }
      var bytes: [UInt8] = []
      for try await chunk in response.body {
        bytes += chunk
        guard bytes.count <= Self.limit else {
          throw ModelError(
            code: .invalidResponse, message: "\(errors.name)'s answer is larger than \(Self.limit) bytes")
        }
      }
      return try JSONValue(parsing: bytes)
    } catch let error as HTTPError {
      throw ModelError(error)
    } catch let error as JSONError {
      throw ModelError(
        code: .invalidResponse,
        message: "\(errors.name)'s answer is no JSON (\(error.message)): is the base URL right?", underlying: error)
    }
  }
}
