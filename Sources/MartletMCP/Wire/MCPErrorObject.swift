public import MartletJSON

/// An error as a peer reports it.
public struct MCPErrorObject: Error, Sendable, Hashable, CustomStringConvertible {
  /// The number.
  public var code: MCPErrorCode
  /// One sentence.
  public var message: String
  /// What else there is to know.
  public var data: JSONValue?

  /// An error.
  public init(_ code: MCPErrorCode, _ message: String, data: JSONValue? = nil) {
    self.code = code
    self.message = message
    self.data = data
  }

  /// Reads the `error` member of a reply; whatever is missing or odd gets a substitute.
  init(json: JSONValue) {
    code = json["code"]?.intValue.map(MCPErrorCode.init(rawValue:)) ?? .internalError
    message = json["message"]?.stringValue ?? json.stringValue ?? "the peer gave no reason"
    data = json["data"]
  }

  var json: JSONValue {
    var object: JSONObject = ["code": JSONValue(code.rawValue), "message": .string(message)]
    if let data { object["data"] = data }
    return .object(object)
  }

  public var description: String { "\(message) (\(code))" }
}
