import MartletJSON

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Bytes as a recording keeps them: as JSON where they are JSON in our own writing, else as text, else in base 64.
enum RecordedBytes {
  static func json(_ bytes: [UInt8]) -> JSONValue {
    do {
      let value = try JSONValue(parsing: bytes)
      if value.bytes() == bytes { return ["json": value] }
    } catch {
      // Not JSON: text.
    }
    return text(bytes)
  }

  static func text(_ bytes: [UInt8]) -> JSONValue {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      return ["base64": .string(Data(bytes).base64EncodedString())]
    }
    return ["text": .string(text)]
  }

  static func bytes(_ value: JSONValue) throws -> [UInt8] {
    if let json = value["json"] { return json.bytes() }
    if let text = value["text"]?.stringValue { return Array(text.utf8) }
    if let data = value["base64"]?.stringValue.flatMap({ Data(base64Encoded: $0) }) { return [UInt8](data) }
    throw JSONFormError(path: "body", message: "is neither json, text nor base64")
  }
}
