import Martlet
import MartletJSON

/// What a parser made of a turn, however it was cut.
struct ParsedTurn: Hashable, CustomStringConvertible {
  /// Text, thinking, markup and calls in order, neighbours of one kind joined.
  private(set) var pieces: [Piece] = []
  /// The previews of each call joined.
  private(set) var previews: [String] = []
  private(set) var startedNames: [String] = []
  /// What broke the promised order of outputs.
  private(set) var violations: [String] = []

  enum Piece: Hashable {
    case text(String)
    case thinking(String)
    case markup(String)
    case call(ToolCallParser.Call)
  }

  init(_ outputs: [ToolCallParser.Output]) {
    var open: Int?
    for output in outputs {
      switch output {
      case .text(let text): add(text, Piece.text) { if case .text(let last) = $0 { last } else { nil } }
      case .thinking(let text): add(text, Piece.thinking) { if case .thinking(let last) = $0 { last } else { nil } }
      case .markup(let text): add(text, Piece.markup) { if case .markup(let last) = $0 { last } else { nil } }
      case .callStarted(let index, let name):
        if open != nil || index != previews.count { violations.append("call \(index) started out of turn") }
        open = index
        previews.append("")
        startedNames.append(name)
      case .callArguments(let index, let delta):
        if open != index { violations.append("arguments of \(index) out of turn") } else { previews[index] += delta }
      case .call(let index, let call):
        if open != index { violations.append("call \(index) out of turn") }
        open = nil
        pieces.append(.call(call))
      }
    }
    if open != nil { violations.append("a started call never came") }
  }

  private mutating func add(_ text: String, _ make: (String) -> Piece, _ read: (Piece) -> String?) {
    if text.isEmpty { violations.append("an empty output") }
    if let last = pieces.last, let before = read(last) {
      pieces[pieces.count - 1] = make(before + text)
    } else {
      pieces.append(make(text))
    }
  }

  var text: String { pieces.map { if case .text(let text) = $0 { text } else { "" } }.joined() }
  var thinking: String { pieces.map { if case .thinking(let text) = $0 { text } else { "" } }.joined() }
  var calls: [ToolCallParser.Call] { pieces.compactMap { if case .call(let call) = $0 { call } else { nil } } }

  /// Text, thinking and markup in order: the input, when markup was reported.
  var source: String {
    pieces.map {
      switch $0 {
      case .text(let text), .thinking(let text), .markup(let text): text
      case .call: ""
      }
    }.joined()
  }

  var description: String {
    (pieces.map { "\($0)" } + ["previews: \(previews)"] + violations).joined(separator: "\n")
  }
}

/// Feeds a parser a turn cut at the given offsets of its UTF-8.
func parse(
  _ input: String, _ dialect: ToolCallDialect, tools: OfferedTools = .samples, cuts: some Sequence<Int> = [],
  options: ToolCallParser.Options = .init(), truncated: Bool = false
) -> ParsedTurn {
  var parser = ToolCallParser(dialect, tools: tools, options: options)
  let bytes = Array(input.utf8)
  var outputs: [ToolCallParser.Output] = []
  var start = 0
  for cut in cuts {
    outputs += parser.feed(bytes: bytes[start..<cut])
    start = cut
  }
  outputs += parser.feed(bytes: bytes[start...])
  outputs += parser.finish(truncated: truncated)
  return ParsedTurn(outputs)
}

extension OfferedTools {
  /// The tools that the samples call.
  static let samples = OfferedTools(schemas: [
    "get_weather": [
      "type": "object",
      "properties": [
        "city": ["type": "string"], "days": ["type": "integer"], "units": ["type": ["string", "null"]],
        "detailed": ["type": "boolean"], "tags": ["type": "array"], "where": ["$ref": "#/$defs/place"],
      ],
      "$defs": ["place": ["type": "object"]],
    ],
    "get_time": ["type": "object", "properties": ["timezone": ["type": "string"]]],
    "currentDateTime": ["type": "object", "properties": ["timeZoneID": ["type": "string"]]],
    "write_file": ["type": "object", "properties": ["path": ["type": "string"], "content": ["type": "string"]]],
    "now": ["type": "object", "properties": [:]],
  ])
}
