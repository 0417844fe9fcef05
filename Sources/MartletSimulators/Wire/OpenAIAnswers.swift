import MartletHTTP
import MartletJSON

/// What OpenAI's two protocols have alike: heads, lists and errors.
enum OpenAIAnswers {
  static func headers(requestID: String) -> HTTPHeaders {
    ["x-request-id": requestID, "openai-version": "2020-10-01", "openai-processing-ms": "7"]
  }

  /// With and without `/v1`, which belongs to the base address here.
  static func endpoint(_ method: HTTPRequest.Method, _ path: String, reply: String) -> WireEndpoint? {
    let path = path.hasPrefix("/v1/") ? String(path.dropFirst(3)) : path
    switch (method, path) {
    case (.post, reply): return .reply(model: nil, streams: nil)
    case (.get, "/models"): return .models
    default: return nil
    }
  }

  static func modelList(_ names: [String]) -> JSONValue {
    [
      "object": "list",
      "data": .array(
        names.map { name in
          ["id": .string(name), "object": "model", "created": 1_767_225_600, "owned_by": "simulator"]
        }),
    ]
  }

  static func errorBody(_ failure: WireFailure) -> JSONValue {
    let words = words(for: failure)
    return [
      "error": [
        "message": .string(failure.message ?? words.message), "type": .string(failure.type ?? words.type),
        "param": failure.param.map { .string($0) } ?? .null,
        "code": (failure.code ?? words.code).map { .string($0) } ?? .null,
      ]
    ]
  }

  private static func words(for failure: WireFailure) -> (type: String, code: String?, message: String) {
    if failure.code == "insufficient_quota" {
      return (
        "insufficient_quota", "insufficient_quota",
        "You exceeded your current quota, please check your plan and billing details."
      )
    }
    return switch failure.status {
    case 401: ("invalid_request_error", "invalid_api_key", "Incorrect API key provided.")
    case 403: ("invalid_request_error", "unsupported_country_region_territory", "You are not allowed to do this.")
    case 404: ("invalid_request_error", "model_not_found", "The model does not exist or you do not have access to it.")
    case 429:
      (
        "requests", "rate_limit_exceeded",
        "Rate limit reached for requests per min (RPM): Limit 3, Used 3, Requested 1."
      )
    case 503: ("server_error", nil, "The engine is currently overloaded, please try again later")
    case 500...: ("server_error", nil, "The server had an error while processing your request. Sorry about that!")
    default: ("invalid_request_error", nil, "The request is not valid.")
    }
  }

  static func keyFailure(isMissing: Bool) -> WireFailure {
    isMissing
      ? WireFailure(
        401, type: "invalid_request_error",
        "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY)."
      )
      : WireFailure(401, type: "invalid_request_error", code: "invalid_api_key", "Incorrect API key provided.")
  }

  static func pathFailure(_ method: HTTPRequest.Method, _ path: String) -> WireFailure {
    WireFailure(404, type: "invalid_request_error", "Invalid URL (\(method) \(path))")
  }

  static func modelFailure(_ model: String) -> WireFailure {
    WireFailure(
      404, type: "invalid_request_error", code: "model_not_found",
      "The model `\(model)` does not exist or you do not have access to it.")
  }

  static func bodyFailure(_ error: JSONError) -> WireFailure {
    WireFailure(
      400, type: "invalid_request_error",
      "We could not parse the JSON body of your request. (HINT: This likely means you aren't using your HTTP library correctly. The OpenAI API expects a JSON payload, but what was sent was not valid JSON. If you have trouble figuring out how to fix this, please contact us through our help center at help.openai.com.)"
    )
  }
}
