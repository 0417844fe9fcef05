import Martlet
import MartletHTTP
import MartletJSON

/// Makes sure that what answers a request for a stream is one.
struct ResponseCheck {
  let errors: any ProviderErrorReader
  let mediaTypes: [String]
  /// Types that say nothing of what they are about; some servers and gateways give them to their streams.
  private static let anyTypes = ["text/plain", "application/octet-stream", "binary/octet-stream"]
  /// Bytes of an error body that are read.
  private static let limit = 1 << 20

  func check(_ response: HTTPResponse) async throws {
    try await checkStatus(response)
    guard let type = response.mediaType else { return }  // some servers name no type for their streams
    if mediaTypes.contains(type) || Self.anyTypes.contains(type) { return }
    throw notAStream(try await read(response.body), type, response)
  }

  /// Makes sure that a request has not failed.
  func checkStatus(_ response: HTTPResponse) async throws {
    if (200..<300).contains(response.status) { return }
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

  /// The error of a body that was served as a stream and begins like something else.
  func notAStream(beginning: [UInt8], rest: inout HTTPBody.AsyncIterator, of response: HTTPResponse) async throws
    -> ModelError
  {
    var body = beginning
    while body.count <= Self.limit, let chunk = try await rest.next() { body += chunk }
    let type =
      switch body.first(where: { !$0.isSpace }) {
      case UInt8(ascii: "<"): "text/html"
      case UInt8(ascii: "{"), UInt8(ascii: "["), nil: "application/json"
      default: response.mediaType ?? "text"
      }
    return notAStream(body, type, response)
  }

  /// The error of a success that is no stream: an error under status 200, a whole answer, a page.
  private func notAStream(_ body: [UInt8], _ type: String, _ response: HTTPResponse) -> ModelError {
    let requestId = errors.requestId(response.headers)
    if type == "application/json" || type.hasSuffix("+json") {
      if let fault = errors.fault(in: body, status: response.status) {
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

extension UInt8 {
  /// Whether it is white space or part of a byte order mark: what may stand before a document.
  var isSpace: Bool { [0x20, 0x0A, 0x0D, 0x09, 0xEF, 0xBB, 0xBF].contains(self) }
}
