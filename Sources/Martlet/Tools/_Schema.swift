// until the real ones land
public import MartletJSON

extension JSONSchema { func coerce(_ v: JSONValue) -> JSONValue { v } }
public protocol ToolArguments: Decodable, Sendable { init(); static func decode(from: JSONValue) throws -> Self }
