import MartletJSON

/// Reads the JSON text of a call or of its arguments: strictly if it can, leniently if it must.
struct ArgumentsText {
  let depthLimit: Int
  let end: LenientJSON.End

  init(_ cursor: ByteCursor, end: LenientJSON.End) {
    depthLimit = cursor.limits.depth
    self.end = end
  }

  func value(_ bytes: ArraySlice<UInt8>) throws(LenientJSON.Failure) -> LenientJSON.Outcome {
    do {
      let options = JSONReader.Options(maximumDepth: depthLimit, duplicateKeys: .error, loneSurrogates: .error)
      return LenientJSON.Outcome(value: try JSONValue(parsing: bytes, options: options), repairs: [])
    } catch {
      return try LenientJSON.read(bytes, depthLimit: depthLimit, end: end)
    }
  }

  /// The arguments that a text holds.
  func arguments(_ bytes: ArraySlice<UInt8>) -> (ToolCall.Arguments, [ToolCallParser.Repair]) {
    if bytes.allSatisfy(\.isWhitespace) { return (.object([:]), []) }
    do {
      let outcome = try value(bytes)
      return arguments(outcome.value, repairs: outcome.repairs)
    } catch {
      return (.unparsed(text: String(decoding: bytes, as: UTF8.self), reason: error.reason), [])
    }
  }

  /// The arguments that a value is, or that a string holds: a model that was shown OpenAI's form writes its JSON text.
  func arguments(
    _ value: JSONValue?, repairs: [ToolCallParser.Repair]
  ) -> (ToolCall.Arguments, [ToolCallParser.Repair]) {
    switch value {
    case nil, .null?: return (.object([:]), repairs)
    case .object(let object)?: return (.object(object), repairs)
    case .string(let text)?:
      let (arguments, more) = Self(depthLimit: depthLimit, end: .marked).arguments(Array(text.utf8)[...])
      return (arguments, repairs + more.filter { !repairs.contains($0) })
    case let value?:
      return (.unparsed(text: value.text(), reason: "the arguments must be a JSON object"), repairs)
    }
  }

  private init(depthLimit: Int, end: LenientJSON.End) {
    self.depthLimit = depthLimit
    self.end = end
  }

  /// The call that the text of a JSON object is. `name` is the name found so far, should the text not be readable.
  func call(_ bytes: ArraySlice<UInt8>, name: String?) -> ToolCallParser.Call {
    do {
      let outcome = try value(bytes)
      guard let object = outcome.value.objectValue else {
        return .init(
          name: name ?? "",
          arguments: .unparsed(text: String(decoding: bytes, as: UTF8.self), reason: "a call must be a JSON object"))
      }
      let shape = CallShape(object)
      guard let written = shape.name ?? name, !written.isEmpty else {
        return .init(
          name: "",
          arguments: .unparsed(text: String(decoding: bytes, as: UTF8.self), reason: "the call has no tool name"))
      }
      let (arguments, repairs) = arguments(shape.arguments, repairs: outcome.repairs)
      return .init(name: written, arguments: arguments, repairs: repairs, writtenID: shape.id)
    } catch {
      return .init(
        name: name ?? "", arguments: .unparsed(text: String(decoding: bytes, as: UTF8.self), reason: error.reason))
    }
  }
}
