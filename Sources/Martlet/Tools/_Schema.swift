// until the real one lands
public import MartletJSON

public struct JSONSchema: Sendable {
  init(_ v: JSONValue) throws {}; func coerce(_ v: JSONValue) -> JSONValue { v };
  func validate(_ v: JSONValue) -> [String] { [] }
}
public protocol ToolArguments: Decodable, Sendable { init(); static func decode(from: JSONValue) throws -> Self }

extension JSONValue {
  func decode<T: Decodable>(_ t: T.Type) throws -> T {
    throw JSONFormError(path: "", message: "decoding is not here yet")
  }
}
