import MartletHTTP
import MartletJSON

/// What of requests and responses is recorded beside their bodies.
enum RecordedHead {
  /// Headers that say what is sent and not who sends it.
  private static let allowed: Set<String> = [
    "accept", "anthropic-beta", "anthropic-version", "content-type", "openai-processing-ms", "request-id",
    "retry-after", "retry-after-ms", "x-goog-request-id", "x-request-id", "x-should-retry", "x-amzn-requestid",
    "apim-request-id", "cf-ray", "x-generation-id",
  ]
  /// Parts of a URL's query that say what is asked.
  private static let allowedQuery: Set<String> = ["alt", "api-version", "beta", "pageSize", "pageToken", "limit"]

  static func allowed(_ headers: HTTPHeaders) -> [(name: String, value: String)] {
    headers.filter { allowed.contains($0.name.lowercased()) }.map { ($0.name.lowercased(), $0.value) }
  }

  /// A URL without the parts of its query that may be keys.
  static func url(_ url: String) -> String {
    let parts = url.prefix { $0 != "#" }.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count > 1 else { return String(parts.first ?? "") }
    let query = parts[1].split(separator: "&").filter { allowedQuery.contains(String($0.prefix { $0 != "=" })) }
    return String(parts[0]) + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
  }

  static func body(of request: HTTPRequest) -> [UInt8] {
    switch request.body {
    case .bytes(let bytes)?: bytes
    case .segments(let segments)?: Array(segments.joined())
    // No model is asked with these.
    case .stream?, .file?, nil: []
    }
  }

  /// What in the head of a request is a secret.
  static func secrets(of request: HTTPRequest) -> [String] {
    var secrets: [String] = []
    let names = Set(
      ["authorization", "proxy-authorization", "cookie"] + request.credentialHeaders.map { $0.lowercased() })
    for field in request.headers where names.contains(field.name.lowercased()) {
      secrets.append(field.value)
      if let token = field.value.split(separator: " ").last { secrets.append(String(token)) }
    }
    if let query = request.url.split(separator: "?", maxSplits: 1).dropFirst().first {
      for part in query.split(separator: "&") where part.hasPrefix("key=") {
        secrets.append(String(part.dropFirst(4)))
        if let plain = PercentEscapes.decoded(String(part.dropFirst(4))) { secrets.append(plain) }
      }
    }
    return secrets
  }
}
