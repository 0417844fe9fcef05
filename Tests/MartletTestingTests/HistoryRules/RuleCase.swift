import MartletJSON
import MartletTesting
import Testing

/// A request that breaks one rule, beside one that comes as close as it may.
struct RuleCase<Request: Sendable>: CustomTestStringConvertible, Sendable {
  let rule: String
  let refused: Request
  let accepted: Request
  /// How the answer to the refused one begins.
  let message: String

  init(_ rule: String, refused: Request, accepted: Request, _ message: String) {
    self.rule = rule
    self.refused = refused
    self.accepted = accepted
    self.message = message
  }

  var testDescription: String { rule }
}

extension JSONValue {
  /// The value with members added, replaced, or removed by null.
  func with(_ members: JSONObject) -> JSONValue {
    var value = self
    for (key, member) in members { value[key] = member.isNull ? nil : member }
    return value
  }
}
