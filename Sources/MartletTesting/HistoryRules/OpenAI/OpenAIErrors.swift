import MartletJSON

/// The answers of OpenAI's services to a wrong request, in their words.
enum OpenAIErrors {
  static func invalid(
    _ rule: String, code: String? = nil, param: String?, _ message: String, status: Int = 400
  ) -> RuleViolation {
    RuleViolation(
      rule: rule, status: status, type: "invalid_request_error", code: code, param: param, message: message)
  }

  static func missing(_ rule: String, _ param: String) -> RuleViolation {
    invalid(
      rule, code: "missing_required_parameter", param: param, "Missing required parameter: '\(param)'.")
  }

  static func wrongType(_ rule: String, _ param: String, expected: String, _ value: JSONValue) -> RuleViolation {
    invalid(
      rule, code: "invalid_type", param: param,
      "Invalid type for '\(param)': expected \(expected), but got \(value.typeName) instead.")
  }

  static func wrongValue(_ rule: String, _ param: String, _ value: String, supported: String) -> RuleViolation {
    invalid(
      rule, code: "invalid_value", param: param, "Invalid value: '\(value)'. Supported values are: \(supported).")
  }

  static func emptyArray(_ rule: String, _ param: String) -> RuleViolation {
    invalid(
      rule, code: "empty_array", param: param,
      "Invalid '\(param)': empty array. Expected an array with minimum length 1, but got an empty array instead.")
  }

  static func emptyString(_ rule: String, _ param: String) -> RuleViolation {
    invalid(
      rule, code: "empty_string", param: param,
      "Invalid '\(param)': empty string. Expected a string with minimum length 1, but got an empty string instead.")
  }

  static func longString(_ rule: String, _ param: String, limit: Int, _ value: String) -> RuleViolation {
    invalid(
      rule, code: "string_above_max_length", param: param,
      "Invalid '\(param)': string too long. Expected a string with maximum length \(limit), but got a string with length \(value.count) instead."
    )
  }

  static func longArray(_ rule: String, _ param: String, limit: Int, _ count: Int) -> RuleViolation {
    invalid(
      rule, code: "array_above_max_length", param: param,
      "Invalid '\(param)': array too long. Expected an array with maximum length \(limit), but got an array with length \(count) instead."
    )
  }

  /// What is wrong with a function's name, if anything is.
  static func name(_ rule: String, _ param: String, _ name: String?) -> RuleViolation? {
    guard let name else { return missing(rule, param) }
    if name.isEmpty { return emptyString(rule, param) }
    if !name.isPlainName {
      return invalid(
        rule, code: "invalid_value", param: param,
        "Invalid '\(param)': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'."
      )
    }
    return name.count > 64 ? longString(rule, param, limit: 64, name) : nil
  }

  static func unsupportedParameter(_ rule: String, _ param: String, _ hint: String = "") -> RuleViolation {
    invalid(
      rule, code: "unsupported_parameter", param: param,
      "Unsupported parameter: '\(param)' is not supported with this model.\(hint)")
  }

  /// The body of the answer to a refused request.
  static func body(_ violation: RuleViolation) -> JSONValue {
    [
      "error": [
        "message": .string(violation.message), "type": .string(violation.type),
        "param": violation.param.map { .string($0) } ?? .null, "code": violation.code.map { .string($0) } ?? .null,
      ]
    ]
  }
}
