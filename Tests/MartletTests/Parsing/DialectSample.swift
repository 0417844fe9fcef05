import Martlet
import MartletJSON
import Testing

/// A turn of a model in one dialect, with what it says.
struct DialectSample: CustomTestStringConvertible, Sendable {
  let dialect: ToolCallDialect
  let name: String
  let input: String
  var text = ""
  var thinking = ""
  var calls: [ToolCallParser.Call] = []
  /// Whether `auto` reads it the same.
  var isUnambiguous = true

  var testDescription: String { "\(dialect): \(name)" }
}

extension ToolCallParser.Call {
  static func of(
    _ name: String, _ arguments: JSONObject = [:], repairs: [ToolCallParser.Repair] = [], id: String? = nil
  ) -> Self {
    Self(name: name, arguments: .object(arguments), repairs: repairs, writtenID: id)
  }
}
