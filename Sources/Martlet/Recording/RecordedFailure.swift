import MartletJSON

/// An error as a recording keeps it: what an agent can tell from it, and no more.
package enum RecordedFailure: Error, Sendable, CustomStringConvertible {
  case cancelled
  case model(ModelError)
  /// Arguments that the tool's own type does not take.
  case refused(reason: String)
  /// Of a transport, by the name of its code.
  case http(code: String, message: String)
  case other(String)

  package init(_ error: any Error) {
    switch error {
    case let error as Self: self = error
    case is CancellationError: self = .cancelled
    case let error as ModelError: self = .model(error)
    case let error as AnyTool.ArgumentsRefused: self = .refused(reason: error.reason)
    default: self = .other("\(error)")
    }
  }

  /// What was thrown, or what stands for it: its description is the same.
  package var error: any Error {
    switch self {
    case .cancelled: CancellationError()
    case .model(let error): error
    case .refused(let reason): AnyTool.ArgumentsRefused(reason: reason)
    case .http, .other: self
    }
  }

  package var description: String {
    switch self {
    case .cancelled: "cancelled"
    case .model(let error): "\(error)"
    case .refused(let reason): reason
    case .http(_, let message): message
    case .other(let text): text
    }
  }

  private enum Kind: String { case cancelled, model, refused, http, other }

  init(json: JSONValue) throws {
    let fields = try JSONFields(json)
    switch Kind(rawValue: try fields.string("kind")) {
    case .cancelled: self = .cancelled
    case .model:
      self = .model(
        ModelError(
          code: ModelError.Code(rawValue: try fields.string("code")), message: try fields.string("message"),
          isRetryable: try fields.bool("retryable"),
          retryAfter: try fields.intIfPresent("retry_after_ns").map { .nanoseconds($0) },
          status: try fields.intIfPresent("status"), requestId: try fields.stringIfPresent("request_id"),
          providerCode: try fields.stringIfPresent("provider_code")))
    case .refused: self = .refused(reason: try fields.string("message"))
    case .http: self = .http(code: try fields.string("code"), message: try fields.string("message"))
    case .other: self = .other(try fields.string("message"))
    case nil: throw JSONFormError(path: "kind", message: "is no kind of failure that is known")
    }
  }

  var json: JSONValue {
    switch self {
    case .cancelled: ["kind": "cancelled"]
    case .model(let error):
      [
        "kind": "model", "code": .string(error.code.rawValue), "message": .string(error.message),
        "retryable": .bool(error.isRetryable),
        "retry_after_ns": error.retryAfter.map { JSONValue($0.wholeNanoseconds) } ?? .null,
        "status": error.status.map { JSONValue($0) } ?? .null,
        "request_id": error.requestId.map { .string($0) } ?? .null,
        "provider_code": error.providerCode.map { .string($0) } ?? .null,
      ]
    case .refused(let reason): ["kind": "refused", "message": .string(reason)]
    case .http(let code, let message): ["kind": "http", "code": .string(code), "message": .string(message)]
    case .other(let text): ["kind": "other", "message": .string(text)]
    }
  }
}

extension Duration {
  /// Whole nanoseconds, within what an `Int` holds.
  var wholeNanoseconds: Int {
    let (seconds, attoseconds) = components
    let limited = max(-9_000_000_000, min(9_000_000_000, seconds))
    return Int(limited) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
  }
}

extension ToolOutput {
  init(recorded json: JSONValue) throws {
    let fields = try JSONFields(json)
    self.init(
      content: try fields.values("content"), structured: fields["structured"],
      isError: try fields.boolIfPresent("is_error") ?? false,
      code: try fields.stringIfPresent("code").map(ToolResult.Code.init(rawValue:)))
  }

  var recorded: JSONValue {
    [
      "content": .array(content.map(\.json)), "structured": structured ?? .null, "is_error": .bool(isError),
      "code": code.map { .string($0.rawValue) } ?? .null,
    ]
  }
}

extension ModelInfo {
  init(recorded json: JSONValue) throws {
    let fields = try JSONFields(json)
    var price: Price?
    if let amounts = try fields.arrayIfPresent("price")?.map({ $0.doubleValue ?? 0 }), amounts.count >= 4 {
      price = Price(input: amounts[0], cachedInput: amounts[1], cacheWrite: amounts[2], output: amounts[3])
      if amounts.count == 7, let above = Int(exactly: amounts[4]) {
        price?.surcharge = Price.Surcharge(above: above, input: amounts[5], output: amounts[6])
      }
    }
    self.init(
      provider: try fields.string("provider"), id: try fields.string("id"),
      contextWindow: try fields.intIfPresent("context_window"),
      maxOutputTokens: try fields.intIfPresent("max_output_tokens"), price: price)
  }

  var recorded: JSONValue {
    let amounts = price.map { price in
      ([price.input, price.cachedInput, price.cacheWrite, price.output]
        + (price.surcharge.map { [Double($0.above), $0.input, $0.output] } ?? [])).map { JSONValue(finite: $0) }
    }
    return [
      "provider": .string(provider), "id": .string(id), "context_window": contextWindow.map { JSONValue($0) } ?? .null,
      "max_output_tokens": maxOutputTokens.map { JSONValue($0) } ?? .null,
      "price": amounts.map { .array($0) } ?? .null,
    ]
  }
}

extension RateLimit {
  init(recorded json: JSONValue) throws {
    let fields = try JSONFields(json)
    self.init(
      Kind(rawValue: try fields.string("kind")), limit: try fields.intIfPresent("limit"),
      remaining: try fields.intIfPresent("remaining"),
      resetsAfter: try fields.intIfPresent("resets_after_ns").map { .nanoseconds($0) })
  }

  var recorded: JSONValue {
    var object: JSONObject = ["kind": .string(kind.rawValue)]
    object.set("limit", limit.map { JSONValue($0) })
    object.set("remaining", remaining.map { JSONValue($0) })
    object.set("resets_after_ns", resetsAfter.map { JSONValue($0.wholeNanoseconds) })
    return .object(object)
  }
}
