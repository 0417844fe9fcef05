import Martlet
import MartletHTTP

/// Reads the headers in which providers tell their limits: `anthropic-ratelimit-input-tokens-remaining` with a moment
/// for the reset (RFC 3339), and `x-ratelimit-remaining-tokens` with a duration (`6m0s`, `1ms`), as OpenAI and most
/// services that speak its protocols send them.
enum RateLimitHeaders {
  /// The limits in the order of their first header. Values that make no sense are left out.
  /// - Parameter now: seconds since 1970, for moments; the response's own `date` counts before it, since clocks differ.
  static func read(_ headers: HTTPHeaders, now: Double) -> [RateLimit] {
    let now = headers["date"].flatMap { HTTPDate($0) }.map { Double($0.secondsSince1970) } ?? now
    var limits: [RateLimit] = []
    for field in headers {
      guard let (kind, part) = name(field.name.lowercased()) else { continue }
      let index = limits.firstIndex { $0.kind == kind } ?? limits.endIndex
      var limit = index < limits.endIndex ? limits[index] : RateLimit(kind)
      switch part {
      case .limit: limit.limit = count(field.value)
      case .remaining: limit.remaining = count(field.value)
      case .reset: limit.resetsAfter = delay(field.value, now: now)
      }
      guard limit != RateLimit(kind) else { continue }
      if index < limits.endIndex { limits[index] = limit } else { limits.append(limit) }
    }
    return limits
  }

  private enum Part: String {
    case limit, remaining, reset
  }

  private static func name(_ name: String) -> (RateLimit.Kind, Part)? {
    if let rest = name.dropping(prefix: "anthropic-ratelimit-") {
      guard let dash = rest.lastIndex(of: "-"), let part = Part(rawValue: String(rest[rest.index(after: dash)...]))
      else { return nil }
      return (RateLimit.Kind(rawValue: String(rest[..<dash])), part)
    }
    guard let rest = name.dropping(prefix: "x-ratelimit-"), let dash = rest.firstIndex(of: "-"),
      let part = Part(rawValue: String(rest[..<dash]))
    else { return nil }
    return (RateLimit.Kind(rawValue: String(rest[rest.index(after: dash)...])), part)
  }

  private static func count(_ text: String) -> Int? {
    guard let count = Int(text), count >= 0 else { return nil }
    return count
  }

  private static func delay(_ text: String, now: Double) -> Duration? {
    if let moment = Timestamp(text) { return valid(max(0, Double(moment.milliseconds) / 1000 - now)) }
    return duration(text)
  }

  /// A duration as Go prints it, such as `1h2m3.5s` or `17ms`; or seconds.
  private static func duration(_ text: String) -> Duration? {
    if let seconds = Double(text) { return valid(seconds) }
    var rest = Substring(text)
    var seconds = 0.0
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      rest = rest.dropFirst(digits.count)
      let unit = rest.prefix { $0.isLetter }
      rest = rest.dropFirst(unit.count)
      guard let amount = Double(digits), let factor = units[String(unit)] else { return nil }
      seconds += amount * factor
    }
    return text.isEmpty ? nil : valid(seconds)
  }

  private static let units: [String: Double] = [
    "h": 3600, "m": 60, "s": 1, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ns": 1e-9,
  ]

  /// More than a year is no limit of a provider.
  private static func valid(_ seconds: Double) -> Duration? {
    (0...31_622_400).contains(seconds) ? .milliseconds(Int((seconds * 1000).rounded())) : nil
  }
}

extension String {
  fileprivate func dropping(prefix: String) -> Substring? { hasPrefix(prefix) ? dropFirst(prefix.count) : nil }
}
