import MartletJSON

/// Reads, writes, splits and decodes any bytes. The first byte chooses the options and where the text is split.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = UnsafeBufferPointer(start: start, count: count)
  guard let choice = input.first else { return 0 }
  let text = input[1...]
  let options = JSONReader.Options(
    maximumDepth: choice & 1 == 0 ? 512 : 3,
    duplicateKeys: choice & 2 == 0 ? .last : choice & 4 == 0 ? .first : .error,
    loneSurrogates: choice & 8 == 0 ? .replace : .error,
    byteOrderMark: choice & 16 == 0 ? .skip : .error)
  let whole = Result { try JSONValue(parsing: text, options: options) }
  let inPieces = Result { try readInPieces(text, of: max(1, Int(choice >> 5)), options) }
  switch (whole, inPieces) {
  case (.success(let value), .success(let other)):
    precondition(value.text() == other.text(), "the pieces give another value")
    check(value)
  case (.failure(let error), .failure(let other)):
    precondition(error as? JSONError == other as? JSONError, "the pieces give another error")
  default:
    preconditionFailure("only one of the readers accepts the text")
  }
  return 0
}

private func readInPieces(
  _ text: Slice<UnsafeBufferPointer<UInt8>>, of size: Int, _ options: JSONReader.Options
) throws -> JSONValue {
  var partial = PartialJSON(options: options)
  var rest = text
  while !rest.isEmpty {
    try partial.append(rest.prefix(size))
    rest = rest.dropFirst(size)
    _ = partial.value
  }
  return try partial.finish()
}

private func check(_ value: JSONValue) {
  do {
    for style in [JSONWriter.Style.compact, .pretty, .canonical] {
      let text = value.bytes(style)
      let again = try JSONValue(parsing: text)
      precondition(again == value && again.hashValue == value.hashValue, "what was written reads as another value")
      precondition(again.bytes(style) == text, "what was written is not written again")
    }
    let encoded = try JSONValue(encoding: value)
    precondition(encoded == value, "the coders change the value")
  } catch {
    preconditionFailure("what was written cannot be read: \(error)")
  }
  _ = try? value.decode(Shape.self)
  _ = value.intValue
  _ = value.doubleValue
}

/// Something to decode to, so that the decoder sees values of every wrong kind.
private struct Shape: Codable {
  var a: Int?
  var b: [Double]?
  var c: [String: Shape]?
  var d: [UInt8?]?
}
