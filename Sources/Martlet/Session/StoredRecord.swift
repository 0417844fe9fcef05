import MartletJSON

/// A record as a store keeps it: its JSON, with texts that are very long kept apart, once each.
package enum StoredRecord {
  /// UTF-8 bytes of the longest text that stays inside a record.
  package static let limit = 64 << 10

  /// Where a text that is kept apart belongs.
  private struct Reference {
    var path: [JSONValue]
    var id: String
  }

  /// The bytes to store, on one line. `keep` takes a long text and gives the id that it can be had back by; the same text
  /// may be given again.
  package static func bytes(_ record: EventRecord, keep: ([UInt8]) throws -> String) rethrows -> [UInt8] {
    let json = record.json
    let bytes = json.bytes()
    guard bytes.count > limit else { return bytes }
    var references: [Reference] = []
    let short = try shortened(json, at: [], &references, keep)
    guard !references.isEmpty else { return bytes }
    let large = references.map { JSONValue.object(["at": .array($0.path), "id": .string($0.id)]) }
    return JSONValue.object(["record": short, "large": .array(large)]).bytes()
  }

  /// Whether nothing of a record is kept apart, told by how it begins. In doubt it is not.
  package static func isWhole(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    bytes.starts(with: #"{"seq":"#.utf8)
  }

  /// Reads stored bytes, with a reader that has read the ones before; `text` gives what was kept apart.
  package static func record(
    _ bytes: UnsafeBufferPointer<UInt8>, _ reader: inout RecordReader, text: (String) throws -> [UInt8]
  ) throws -> EventRecord {
    if let record = reader.record(bytes) { return record }
    return try record(bytes, text: text)
  }

  /// Reads stored bytes; `text` gives what was kept apart.
  package static func record(_ bytes: some Sequence<UInt8>, text: (String) throws -> [UInt8]) throws -> EventRecord {
    let json = try JSONValue(parsing: bytes)
    guard json["time"] == nil, var record = json["record"] else { return try EventRecord(json: json) }
    for reference in json["large"]?.arrayValue ?? [] {
      guard let path = reference["at"]?.arrayValue, let id = reference["id"]?.stringValue else {
        throw JSONFormError(path: "large", message: "a place and an id are expected")
      }
      record = try restored(record, at: path[...], String(decoding: try text(id), as: UTF8.self))
    }
    return try EventRecord(json: record)
  }

  private static func shortened(
    _ value: JSONValue, at path: [JSONValue], _ references: inout [Reference], _ keep: ([UInt8]) throws -> String
  ) rethrows -> JSONValue {
    switch value {
    case .string(let text):
      guard text.utf8.count > limit else { return value }
      references.append(Reference(path: path, id: try keep(Array(text.utf8))))
      return ""
    case .array(let values):
      var short: [JSONValue] = []
      for (index, value) in values.enumerated() {
        short.append(try shortened(value, at: path + [.number(JSONNumber(index))], &references, keep))
      }
      return .array(short)
    case .object(let object):
      var short = JSONObject()
      for (key, value) in object { short[key] = try shortened(value, at: path + [.string(key)], &references, keep) }
      return .object(short)
    case .null, .bool, .number: return value
    }
  }

  private static func restored(_ value: JSONValue, at path: ArraySlice<JSONValue>, _ text: String) throws -> JSONValue {
    guard let step = path.first else { return .string(text) }
    var value = value
    if let key = step.stringValue, let inner = value[key] {
      value[key] = try restored(inner, at: path.dropFirst(), text)
    } else if let index = step.intValue, let inner = value[index] {
      value[index] = try restored(inner, at: path.dropFirst(), text)
    } else {
      throw JSONFormError(path: "large", message: "there is no such place in the record")
    }
    return value
  }

  /// 64 bits that tell texts apart most of the time (FNV-1a); whoever uses them compares the texts too.
  package static func hash(_ bytes: [UInt8]) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    bytes.withUnsafeBufferPointer { buffer in
      for byte in buffer { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    }
    return hash
  }
}
