import Martlet
import MartletJSON

/// The errors of the Responses API: `{"error":{"message","type","param","code"}}`, in its stream also
/// `{"type":"error","code","message"}` and the `error` of a failed response.
struct OpenAIResponsesErrors: ProviderErrorReader {
  let name = "OpenAI"
  let requestIdHeaders = ["x-request-id", "apim-request-id", "request-id"]

  func read(_ body: JSONValue, status: Int) -> ProviderFault? {
    var error = body
    if let inner = body["error"], !inner.isNull { error = inner }
    // Compatible servers also say `{"error":"…"}` and `{"detail":"…"}`.
    guard let message = error["message"]?.stringValue ?? error.stringValue ?? body["detail"]?.stringValue else {
      return nil
    }
    let type = error["type"]?.stringValue
    let word = error["code"]?.stringValue ?? type
    var fault = ProviderFault(
      code: ModelError.Code(status: status), providerCode: word == "error" ? nil : word, message: message)
    // In a stream the status says nothing.
    if status < 400 { fault.code = .serverError }
    for word in [error["code"]?.stringValue, type] {
      guard let word, let code = Self.code(word), status != 413 || code == .contextOverflow else { continue }
      fault.code = code
      break
    }
    if fault.code == .invalidRequest, OverflowWording.matches(message) { fault.code = .contextOverflow }
    fault.isFinal = fault.code == .quotaExceeded
    return fault
  }

  private static func code(_ word: String) -> ModelError.Code? {
    switch word {
    case "insufficient_quota", "billing_hard_limit_reached", "billing_not_active": .quotaExceeded
    case "invalid_api_key", "authentication_error": .authentication
    case "permission_error", "unsupported_country_region_territory": .permission
    case "model_not_found": .modelNotFound
    case "context_length_exceeded": .contextOverflow
    case "rate_limit_exceeded", "rate_limit_error", "too_many_requests": .rateLimited
    case "server_error", "internal_error": .serverError
    case "server_overloaded", "overloaded_error", "engine_overloaded": .overloaded
    case "vector_store_timeout", "timeout": .timeout
    case "invalid_prompt", "bio_policy", "misalignment_policy_violation", "image_content_policy_violation",
      "content_policy_violation", "content_filter", "cyber_policy_violation":
      .refused
    case "invalid_request_error", "data_residency_mismatch", "invalid_image", "invalid_image_format",
      "invalid_base64_image", "invalid_image_url", "image_too_large", "image_too_small", "image_parse_error",
      "invalid_image_mode", "image_file_too_large", "unsupported_image_media_type", "empty_image_file",
      "failed_to_download_image", "image_file_not_found":
      .invalidRequest
    default: nil
    }
  }
}
