import Martlet
import MartletHTTP
import MartletJSON

/// Reads a provider's error bodies.
protocol ProviderErrorReader: Sendable {
  /// The provider's name in sentences.
  var name: String { get }
  /// The headers that may carry the request's id, in order.
  var requestIdHeaders: [String] { get }
  /// What the body says; nil when it is not the provider's own form of error.
  func read(_ body: JSONValue, status: Int) -> ProviderFault?
}

/// What a provider says about a failed request.
struct ProviderFault: Sendable {
  var code: ModelError.Code
  /// The provider's own word for it.
  var providerCode: String?
  var message: String
  /// A delay that the body asks for.
  var delay: Duration?
  /// Waiting will not help, whatever the status says.
  var isFinal = false
}

extension ProviderErrorReader {
  func requestId(_ headers: HTTPHeaders) -> String? {
    for name in requestIdHeaders { if let id = headers[name] { return id } }
    return nil
  }

  /// The error of a response that is no success, whatever its body is.
  func error(status: Int, headers: HTTPHeaders, body: [UInt8], now: Double) -> ModelError {
    let fault = fault(in: body, status: status)
    let failure = RetryFailure(
      status: status, headers: headers, bodyDelay: fault?.delay, isFinal: fault?.isFinal ?? false)
    let code = fault?.code ?? ModelError.Code(status: status)
    return ModelError(
      code: code, message: fault.map { "\(name): \($0.message.shortened)" } ?? plainMessage(status, headers, body),
      isRetryable: failure.mayPass, retryAfter: failure.delay(now: now), status: status,
      requestId: requestId(headers), providerCode: fault?.providerCode)
  }

  func fault(in body: [UInt8], status: Int) -> ProviderFault? { fault(in: body[...], status: status) }

  private func fault(in body: ArraySlice<UInt8>, status: Int) -> ProviderFault? {
    do {
      var value = try JSONValue(parsing: body)
      // Gemini and some gateways wrap the error in a list of one.
      if let first = value.arrayValue?.first { value = first }
      return read(value, status: status)
    } catch {
      return nil
    }
  }

  /// The error that stands in a stream which began as a success.
  func error(inStream body: JSONValue) -> ModelError {
    error(read(body, status: 200), requestId: body["request_id"]?.stringValue)
  }

  /// The same, of an event that is named an error, whatever it holds.
  func error(inStream data: ArraySlice<UInt8>) -> ModelError {
    let text = String(decoding: data, as: UTF8.self)
    return error(
      fault(in: data, status: 200)
        ?? ProviderFault(code: .serverError, message: text.isBlank ? "an error without a message" : text),
      requestId: nil)
  }

  private func error(_ fault: ProviderFault?, requestId: String?) -> ModelError {
    ModelError(
      code: fault?.code ?? .serverError,
      message: "\(name): \((fault?.message ?? "an error without a message").shortened)",
      isRetryable: fault?.isFinal == true ? false : nil, retryAfter: fault?.delay, status: 200, requestId: requestId,
      providerCode: fault?.providerCode)
  }

  /// For an answer that did not come from the provider itself: a proxy's page, or nothing.
  private func plainMessage(_ status: Int, _ headers: HTTPHeaders, _ body: [UInt8]) -> String {
    let type = headers["content-type"].map { " of type \($0)" } ?? ""
    let what = body.isEmpty ? "an empty body" : "a body\(type) that is not \(name)'s (\(body.count) bytes)"
    return "\(name) answered with status \(status) and \(what): a proxy or gateway may have answered in its place"
  }
}

extension ModelError.Code {
  /// The kind of failure a status means where the body says nothing.
  init(status: Int) {
    switch status {
    case 400, 422: self = .invalidRequest
    case 401: self = .authentication
    case 402: self = .quotaExceeded
    case 403: self = .permission
    case 404: self = .modelNotFound
    case 408: self = .timeout
    case 413: self = .requestTooLarge
    case 429: self = .rateLimited
    case 503, 529: self = .overloaded
    case 504: self = .timeout
    case 500...: self = .serverError
    default: self = .invalidResponse
    }
  }
}

extension ModelError {
  /// A failure of the connection.
  init(_ error: HTTPError) {
    let code: Code =
      switch error.code {
      case .connectTimeout, .idleTimeout, .totalTimeout: .timeout
      case .invalidURL, .invalidRequest: .invalidRequest
      case .invalidResponse, .badRedirect, .tooLarge: .invalidResponse
      default: .connection
      }
    self.init(code: code, message: error.message, isRetryable: error.isTransient, underlying: error)
  }
}

extension String {
  /// At most 500 characters: what providers say can quote what they were sent.
  var shortened: String { utf8.count <= 500 ? self : String(prefix(500)) + "…" }
}
