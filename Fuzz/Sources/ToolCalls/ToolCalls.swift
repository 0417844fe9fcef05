import Martlet
import MartletJSON

/// Reads a model's turn, whole and in pieces. The first byte chooses the dialect, the second the options and the pieces.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = UnsafeBufferPointer(start: start, count: count)
  guard input.count > 2 else { return 0 }
  let dialects = ToolCallDialect.allCases
  let dialect = dialects[Int(input[0]) % dialects.count]
  let choice = input[1]
  let options = ToolCallParser.Options(
    startsInThinking: choice & 1 != 0, limits: .init(callBytes: choice & 2 == 0 ? 4 << 20 : 64), reportsMarkup: true)
  let isTruncated = choice & 4 != 0
  // Invalid UTF-8 reads as U+FFFD: what must come out again is the text with these.
  let text = String(decoding: input[2...], as: UTF8.self)
  let whole = Turn(text, dialect, options, isTruncated, size: text.utf8.count)
  let inPieces = Turn(text, dialect, options, isTruncated, size: max(1, Int(choice >> 3)))
  precondition(whole.source == text, "something of the text was lost")
  precondition(whole == inPieces, "the pieces read as another turn")
  return 0
}

/// What was made of a turn, however it was cut.
private struct Turn: Equatable {
  var source = ""
  var text = ""
  var thinking = ""
  var calls: [ToolCallParser.Call] = []

  init(_ input: String, _ dialect: ToolCallDialect, _ options: ToolCallParser.Options, _ isTruncated: Bool, size: Int) {
    var parser = ToolCallParser(dialect, tools: Self.tools, options: options)
    var rest = Array(input.utf8)[...]
    while !rest.isEmpty {
      take(parser.feed(bytes: rest.prefix(size)))
      rest = rest.dropFirst(size)
    }
    take(parser.finish(truncated: isTruncated))
  }

  private mutating func take(_ outputs: [ToolCallParser.Output]) {
    for output in outputs {
      switch output {
      case .text(let piece):
        text += piece
        source += piece
      case .thinking(let piece):
        thinking += piece
        source += piece
      case .markup(let piece): source += piece
      case .call(let index, let call):
        precondition(index == calls.count, "a call out of turn")
        calls.append(call)
      case .callStarted, .callArguments: break
      }
    }
  }

  private static let tools = OfferedTools(schemas: [
    "now": ["type": "object", "properties": [:]],
    "get_weather": [
      "type": "object",
      "properties": ["city": ["type": "string"], "days": ["type": "integer"], "tags": ["type": "array"]],
    ],
  ])
}
