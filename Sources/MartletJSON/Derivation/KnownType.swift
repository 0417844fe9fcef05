#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Types that `JSONTextDecoder` reads in a way of its own.
struct KnownType {
  let schema: JSONObject
  let sample: any Sendable

  static func of<T>(_ type: T.Type) -> KnownType? { table[ObjectIdentifier(type)] }

  private static let table: [ObjectIdentifier: KnownType] = {
    var table: [ObjectIdentifier: KnownType] = [:]
    func add<T: Sendable>(_ sample: T, _ schema: JSONObject) {
      table[ObjectIdentifier(T.self)] = KnownType(schema: schema, sample: sample)
    }
    func addInteger<T: FixedWidthInteger & Sendable>(_ type: T.Type) {
      var schema: JSONObject = ["type": "integer"]
      // The bounds of 64 bits say nothing to a model; that an unsigned type is not negative does.
      if !T.isSigned || T.bitWidth < 64 { schema["minimum"] = .number(JSONNumber(T.min)) }
      if T.bitWidth < 64 { schema["maximum"] = .number(JSONNumber(T.max)) }
      add(T.zero, schema)
    }
    add("", ["type": "string"])
    add(false, ["type": "boolean"])
    addInteger(Int.self)
    addInteger(Int8.self)
    addInteger(Int16.self)
    addInteger(Int32.self)
    addInteger(Int64.self)
    addInteger(UInt.self)
    addInteger(UInt8.self)
    addInteger(UInt16.self)
    addInteger(UInt32.self)
    addInteger(UInt64.self)
    if #available(macOS 15, iOS 18, *) {
      addInteger(Int128.self)
      addInteger(UInt128.self)
    }
    add(0.0, ["type": "number"])
    add(Float(0), ["type": "number"])
    add(Decimal(0), ["type": "number"])
    add(Date(timeIntervalSince1970: 0), ["type": "string", "format": "date-time"])
    add(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)), ["type": "string", "format": "uuid"])
    add(Data(), ["type": "string", "contentEncoding": "base64"])
    if let url = URL(string: "https://example.com") { add(url, ["type": "string", "format": "uri"]) }
    add(JSONValue.null, [:])
    add(JSONObject(), ["type": "object"])
    add(JSONNumber(0), ["type": "number"])
    return table
  }()
}
