import Martlet
import MartletJSON

/// Ollama's errors: `{"error":"text"}`, in answers and in the stream. There are no codes, so a few words tell the kind.
struct OllamaErrors: ProviderErrorReader {
  let name = "Ollama"
  let requestIdHeaders = ["x-request-id"]

  func read(_ body: JSONValue, status: Int) -> ProviderFault? {
    guard let message = ErrorWording.message(in: ErrorWording.object(in: body)) else { return nil }
    var fault = ProviderFault(
      code: status < 400 ? .serverError : ModelError.Code(status: status), providerCode: nil, message: message)
    let text = message.lowercased()
    if text.contains("not found"), text.contains("model") {
      fault.code = .modelNotFound
    } else if text.contains("does not support") {
      fault.code = .unsupported
    } else if OverflowWording.matches(text) {
      fault.code = .contextOverflow
    } else if status != 429,
      text.contains("busy") || text.contains("too many requests") || text.contains("maximum pending requests")
    {
      fault.code = .overloaded
    } else if text.contains("more system memory") || text.contains("out of memory") {
      // The machine is too small; asking again does not change it.
      fault.isFinal = true
    } else if text.contains("unauthorized") {
      fault.code = .authentication
    }
    if [.modelNotFound, .unsupported, .contextOverflow].contains(fault.code) { fault.isFinal = true }
    return fault
  }
}
