import Martlet
import MartletHTTP
import MartletJSON

/// Makes sure that what answers a request for a stream is one.
struct ResponseCheck {
  let errors: any ProviderErrorReader
  let mediaTypes: [String]
  /// Bytes of an error body that are read.
  private static let limit = 1 << 20

  func check(_ response: HTTPResponse) async throws {
    if (200..<300).contains(response.status) {
      guard let type = response.mediaType else { return }  // some servers name no type for their streams
      if mediaTypes.contains(type) { return }
      throw try await notAStream(response, type)
    }
    let body = try await read(response.body)
    throw errors.error(
      status: response.status, headers: response.headers, body: body,
      now: Double(Timestamp.now.milliseconds) / 1000)
  }

  private func read(_ body: HTTPBody) async throws -> [UInt8] {
    var bytes: [UInt8] = []
    do {
      for try await chunk in body {
        bytes += chunk
        if bytes.count > Self.limit { break }
      }
    } catch let error as HTTPError where !bytes.isEmpty {
      // The head says that it failed; half a body does not change that.
      _ = error
    }
    return bytes
  }

  /// A success that is no stream: an error under status 200, a whole answer, a page.
  private func notAStream(_ response: HTTPResponse, _ type: String) async throws -> ModelError {
    let body = try await read(response.body)
    let requestId = errors.requestId(response.headers)
    if type == "application/json" || type.hasSuffix("+json") {
      var fault: ProviderFault?
      do { fault = errors.read(try JSONValue(parsing: body), status: response.status) } catch { fault = nil }
      if let fault {
        return ModelError(
          code: fault.code, message: "\(errors.name): \(fault.message.shortened)", isRetryable: false,
          status: response.status, requestId: requestId, providerCode: fault.providerCode)
      }
      return ModelError(
        code: .invalidResponse,
        message: body.isEmpty
          ? "\(errors.name) answered with nothing instead of a stream"
          : "\(errors.name) answered with one JSON document instead of a stream: a gateway in between may not support streaming",
        isRetryable: body.isEmpty, status: response.status, requestId: requestId)
    }
    return ModelError(
      code: .invalidResponse,
      message: "\(errors.name) answered with \(type) instead of a stream: is the base URL right?", isRetryable: false,
      status: response.status, requestId: requestId)
  }
}
