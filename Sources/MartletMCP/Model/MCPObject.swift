public import Martlet
public import MartletJSON

/// A typed view of a JSON object of the protocol.
///
/// The object itself is kept, so fields that this version does not know survive a round trip and a field of an odd type
/// reads as absent instead of spoiling the whole. `==` compares all fields, in any order.
public protocol MCPObject: JSONConvertible, Hashable {
  /// All fields, as they were received or set.
  var fields: JSONObject { get set }
  /// A view of an object, unchecked.
  init(fields: JSONObject)
  /// The fields without which the object means nothing; each is a string. Default: none.
  static var requiredStrings: [String] { get }
}

extension MCPObject {
  public static var requiredStrings: [String] { [] }

  public init(json: JSONValue) throws {
    guard case .object(let fields) = json else { throw JSONFormError(path: "", message: "an object is expected") }
    for key in Self.requiredStrings where fields[key]?.stringValue == nil {
      let isMissing = fields[key]?.isNull ?? true
      throw JSONFormError(path: key, message: isMissing ? "is missing" : "a string is expected")
    }
    self.init(fields: fields)
  }

  public var json: JSONValue { .object(fields) }

  /// What a peer attached for others (`_meta`).
  public var meta: JSONObject? {
    get { fields["_meta"]?.objectValue }
    set { fields["_meta"] = newValue.map { .object($0) } }
  }
}
