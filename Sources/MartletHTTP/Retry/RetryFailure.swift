/// A failure, as far as retrying goes: whether another try may help, and what delay the server names. How often and how
/// long to wait otherwise is the caller's.
public struct RetryFailure: Sendable {
  private enum Kind: Sendable {
    case response(status: Int, headers: HTTPHeaders)
    case error(HTTPError)
  }
  private let kind: Kind

  /// A delay that the body of the response asks for (Gemini's `RetryInfo`); headers go first.
  public var bodyDelay: Duration?
  /// What only the body tells: that the same request will be refused again (a quota that is used up, a spending limit).
  public var isFinal = false

  /// A response with a status that is no success.
  public init(status: Int, headers: HTTPHeaders, bodyDelay: Duration? = nil, isFinal: Bool = false) {
    kind = .response(status: status, headers: headers)
    self.bodyDelay = bodyDelay
    self.isFinal = isFinal
  }

  /// No complete response.
  public init(_ error: HTTPError) { kind = .error(error) }

  /// Whether the same request may succeed later.
  package var mayPass: Bool {
    if isFinal { return false }
    switch kind {
    case .error(let error): return error.isTransient
    case .response(let status, let headers):
      if let advice = headers["x-should-retry"] {
        if advice.equalsIgnoringASCIICase("true") { return true }
        if advice.equalsIgnoringASCIICase("false") { return false }
      }
      return status == 408 || status == 409 || status == 429 || status >= 500
    }
  }

  /// The delay that the server asks for: `retry-after-ms`, `retry-after` as seconds or as a date, or the body's. Nil when
  /// none is asked for; zero, and a date that has passed, ask for none.
  /// - Parameter now: seconds since 1970; the response's own `date` counts before it, since clocks differ.
  public func delay(now: Double) -> Duration? {
    guard case .response(_, let headers) = kind else { return bodyDelay }
    let now = headers["date"].flatMap { HTTPDate($0) }.map { Double($0.secondsSince1970) } ?? now
    let named: [Double?] = [
      headers["retry-after-ms"].flatMap(Self.number).map { $0 / 1_000 },
      headers["retry-after"].flatMap { text in
        Self.number(text) ?? HTTPDate(text).map { Double($0.secondsSince1970) - now }
      },
    ]
    let seconds = named.compactMap { $0 }.first { $0 > 0 }
    return seconds.map { .seconds($0) } ?? bodyDelay.flatMap { $0 > .zero ? $0 : nil }
  }

  private static func number(_ text: String) -> Double? {
    // A day is more than any server means, and less than a `Duration` can overflow from.
    Double(text).flatMap { $0.isFinite ? min(max($0, 0), 86_400_000) : nil }
  }
}
