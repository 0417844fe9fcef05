import Martlet
import MartletJSON

/// Google's errors: `{"error":{"code","message","status","details"}}`, sometimes in a list of one. How long to wait stands
/// in the details (`RetryInfo`), not in a header.
struct GeminiErrors: ProviderErrorReader {
  let name = "Gemini"
  let requestIdHeaders = ["x-goog-request-id", "x-request-id"]

  func read(_ body: JSONValue, status: Int) -> ProviderFault? {
    let error = ErrorWording.object(in: body)
    guard let message = ErrorWording.message(in: error) else { return nil }
    // A stream fails under status 200; the body then says what the status would have been.
    let status = status < 400 ? error["code"]?.intValue ?? status : status
    let word = error["status"]?.stringValue
    let details = error["details"]?.arrayValue ?? []
    let reason = details.lazy.compactMap { $0["reason"]?.stringValue }.first
    var fault = ProviderFault(code: ModelError.Code(status: status), providerCode: reason ?? word, message: message)
    switch word {
    case "INVALID_ARGUMENT":
      fault.code = OverflowWording.matches(message) ? .contextOverflow : .invalidRequest
    case "FAILED_PRECONDITION": fault.code = .invalidRequest
    case "UNAUTHENTICATED": fault.code = .authentication
    case "PERMISSION_DENIED": fault.code = .permission
    case "NOT_FOUND": fault.code = .modelNotFound
    case "RESOURCE_EXHAUSTED": fault.code = .rateLimited
    case "INTERNAL", "UNKNOWN": fault.code = .serverError
    case "UNAVAILABLE": fault.code = .overloaded
    case "DEADLINE_EXCEEDED": fault.code = .timeout
    default: if status < 400 { fault.code = .serverError }
    }
    if status == 413, fault.code != .contextOverflow { fault.code = .requestTooLarge }
    if reason == "API_KEY_INVALID" { fault.code = .authentication }
    fault.delay = details.lazy.compactMap { $0["retryDelay"]?.stringValue }.first.flatMap(Self.delay)
    if fault.code == .rateLimited, Self.isUsedUp(details) {
      fault.code = .quotaExceeded
      fault.isFinal = true
    }
    return fault
  }

  /// `34s`, `0.5s`: a duration as protocol buffers write it.
  private static func delay(_ text: String) -> Duration? {
    guard text.hasSuffix("s"), let seconds = Double(text.dropLast()), seconds >= 0, seconds <= 86_400 else {
      return nil
    }
    return .seconds(seconds)
  }

  /// Whether a limit was met that stays met: one for a day, or one of zero, which plans without billing have.
  private static func isUsedUp(_ details: [JSONValue]) -> Bool {
    details.contains { detail in
      (detail["violations"]?.arrayValue ?? []).contains {
        $0["quotaId"]?.stringValue?.contains("PerDay") == true || $0["quotaValue"]?.stringValue == "0"
      } || detail["metadata"]?["quota_limit_value"]?.stringValue == "0"
    }
  }
}
