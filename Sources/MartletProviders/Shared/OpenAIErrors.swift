import Martlet
import MartletJSON

/// Errors as OpenAI words them in both of its protocols, `{"error":{"message","type","param","code"}}`, in a stream also
/// `{"type":"error","code","message"}`; and as servers with its protocols do: a text for the object, a message without a
/// wrapper (Mistral, Cohere), `detail` (FastAPI), numbers for codes.
struct OpenAIErrors: ProviderErrorReader {
  var name = "OpenAI"
  let requestIdHeaders = [
    "x-request-id", "request-id", "apim-request-id", "x-generation-id", "x-ds-trace-id", "cf-ray",
  ]

  func read(_ body: JSONValue, status: Int) -> ProviderFault? {
    let error: JSONValue
    switch body["error"] {
    case .object(let object)?: error = .object(object)
    case .string(let text)?:
      error = ["message": .string(text), "code": body["code"] ?? .null, "type": body["type"] ?? .null]
    case .array(let list)?: error = ["message": .string(list.compactMap(\.stringValue).joined(separator: "; "))]
    default: error = body
    }
    guard let message = ErrorWording.message(in: error) else { return nil }
    let code = Self.word(error["code"])
    let type = Self.word(error["type"]).flatMap { $0 == "error" ? nil : $0 }
    let number = error["code"]?.intValue ?? error["status_code"]?.intValue ?? code.flatMap { Int($0) }
    var effective = status
    if status == 200 {
      if let number, (400..<600).contains(number) {
        effective = number
      } else if type?.hasPrefix("invalid_request") == true {
        effective = 400
      }
    }
    var fault = ProviderFault(
      code: effective == 200 ? .serverError : ModelError.Code(status: effective), providerCode: code ?? type,
      message: message)
    let known = code.flatMap { Self.codes[$0] } ?? type.flatMap { Self.codes[$0] }
    if let known, effective != 413 {
      fault.code = known
    } else if effective < 500, OverflowWording.matches(message) {
      fault.code = .contextOverflow
    }
    // What is used up does not come back by waiting, also under 429.
    fault.isFinal = fault.code == .quotaExceeded
    return fault
  }

  private static func word(_ value: JSONValue?) -> String? {
    switch value {
    case .string(let text)? where !text.isEmpty: text
    case .number(let number)?: number.text
    default: nil
    }
  }

  /// Codes and types; codes go first.
  private static let codes: [String: ModelError.Code] = [
    "invalid_api_key": .authentication, "authentication_error": .authentication,
    "invalid_authentication_error": .authentication, "incorrect_api_key_error": .authentication,
    "invalid_iam_token": .authentication, "permission_error": .permission, "permission_denied_error": .permission,
    "unsupported_country_region_territory": .permission, "model_not_found": .modelNotFound,
    "model_not_available": .modelNotFound, "model_decommissioned": .modelNotFound,
    "DeploymentNotFound": .modelNotFound, "resource_not_found_error": .modelNotFound, "invalid_model": .modelNotFound,
    "insufficient_quota": .quotaExceeded, "organization_spend_limit_exceeded": .quotaExceeded,
    "project_spend_limit_exceeded": .quotaExceeded, "organization_usage_limit_exceeded": .quotaExceeded,
    "credit_balance_exhausted": .quotaExceeded, "billing_hard_limit_reached": .quotaExceeded,
    "billing_not_active": .quotaExceeded, "access_terminated": .quotaExceeded,
    "exceeded_current_quota_error": .quotaExceeded, "insufficient_balance": .quotaExceeded,
    "insufficient_balance_error": .quotaExceeded, "Arrearage": .quotaExceeded, "1113": .quotaExceeded,
    "rate_limit_exceeded": .rateLimited, "rate_limit_error": .rateLimited, "rate_limit_reached_error": .rateLimited,
    "tokens": .rateLimited, "requests": .rateLimited, "too_many_requests": .rateLimited,
    "server_overloaded": .overloaded, "engine_overloaded_error": .overloaded, "engine_overloaded": .overloaded,
    "overloaded_error": .overloaded,
    "overloaded": .overloaded, "service_unavailable": .overloaded, "unavailable_error": .overloaded,
    "server_error": .serverError, "internal_error": .serverError, "internal_server_error": .serverError,
    "api_error": .serverError,
    "timeout": .timeout, "vector_store_timeout": .timeout, "timeout_error": .timeout,
    "context_length_exceeded": .contextOverflow,
    "exceed_context_size_error": .contextOverflow, "string_above_max_length": .invalidRequest,
    "data_residency_mismatch": .invalidRequest, "invalid_image": .invalidRequest,
    "invalid_image_format": .invalidRequest, "invalid_base64_image": .invalidRequest,
    "invalid_image_url": .invalidRequest, "image_too_large": .invalidRequest, "image_too_small": .invalidRequest,
    "image_parse_error": .invalidRequest, "invalid_image_mode": .invalidRequest,
    "image_file_too_large": .invalidRequest, "unsupported_image_media_type": .invalidRequest,
    "empty_image_file": .invalidRequest, "failed_to_download_image": .invalidRequest,
    "image_file_not_found": .invalidRequest,
    "request_too_large": .requestTooLarge, "content_filter": .refused, "content_policy_violation": .refused,
    "ResponsibleAIPolicyViolation": .refused, "invalid_prompt": .refused, "bio_policy": .refused,
    "misalignment_policy_violation": .refused, "image_content_policy_violation": .refused,
    "cyber_policy_violation": .refused, "data_inspection_failed": .refused,
    // The model wrote a call that its server could not read.
    "tool_use_failed": .invalidResponse,
  ]
}
