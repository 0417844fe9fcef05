import Martlet
import MartletJSON

/// Anthropic's errors: `{"type":"error","error":{"type","message","details"},"request_id"}`.
struct AnthropicErrors: ProviderErrorReader {
  let name = "Anthropic"
  let requestIdHeaders = ["request-id", "x-request-id"]

  func read(_ body: JSONValue, status: Int) -> ProviderFault? {
    let error = ErrorWording.object(in: body)
    guard let message = ErrorWording.message(in: error) else { return nil }
    let type = error["type"]?.stringValue.flatMap { $0 == "error" ? nil : $0 }
    let detail = error["details"]?["error_code"]?.stringValue
    var fault = ProviderFault(code: ModelError.Code(status: status), providerCode: detail ?? type, message: message)
    switch type {
    case "authentication_error": fault.code = .authentication
    case "permission_error": fault.code = .permission
    case "not_found_error": fault.code = .modelNotFound
    case "billing_error":
      fault.code = .quotaExceeded
      fault.isFinal = true
    case "request_too_large": fault.code = .requestTooLarge
    case "rate_limit_error": fault.code = .rateLimited
    case "api_error": fault.code = .serverError
    case "timeout_error": fault.code = .timeout
    case "overloaded_error": fault.code = .overloaded
    case "invalid_request_error":
      fault.code = OverflowWording.matches(message) ? .contextOverflow : .invalidRequest
    default: if status < 400 { fault.code = .serverError }
    }
    // A tier's or a customer's own limit of spending: it does not come back by waiting.
    if detail?.contains("spend_limit") == true || message.contains("specified API usage limits")
      || message.contains("specified workspace API usage limits")
    {
      fault.code = .quotaExceeded
      fault.isFinal = true
    }
    return fault
  }
}
