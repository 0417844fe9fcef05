import Foundation
import Martlet
import MartletTesting
import Testing

/// Random markup, seeded. `MARTLET_FUZZ_ROUNDS` sets how many turns are tried, `MARTLET_FUZZ_SEED` where they begin.
@Suite struct ToolCallFuzzTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let rounds = environment["MARTLET_FUZZ_ROUNDS"].flatMap(Int.init) ?? 1_000
  private static let firstSeed = environment["MARTLET_FUZZ_SEED"].flatMap(UInt64.init) ?? 1

  /// Pieces of markup, whole and broken.
  private static let fragments: [String] =
    DialectSample.all.map(\.input)
    + [
      "<tool_call>", "</tool_call>", "<|tool_call|>", "<|/tool_call|>", "<|python_tag|>", "<|eom_id|>", "[TOOL_CALLS]",
      "[ARGS]", "[CALL_ID]", "<｜tool▁calls▁begin｜>", "<｜tool▁call▁begin｜>", "<｜tool▁sep｜>", "<｜tool▁call▁end｜>",
      "<｜tool▁calls▁end｜>", "<|tool_calls_section_begin|>", "<|tool_call_begin|>", "<|tool_call_argument_begin|>",
      "<|tool_call_end|>", "<|tool_calls_section_end|>", "<minimax:tool_call>", "<invoke name=\"now\">", "</invoke>",
      "<parameter name=\"city\">", "</parameter>", "<function=now>", "<parameter=city>", "</function>", "<arg_key>",
      "</arg_key>", "<arg_value>", "</arg_value>", "<|START_ACTION|>", "<|END_ACTION|>", "Action:", "functools",
      "<|channel|>", "<|message|>", "<|start|>", "<|end|>", "<|call|>", "to=functions.now", "<|tool_call>",
      "<tool_call|>",
      "<|\"|>", "call:now{", "<think>", "</think>", "[THINK]", "[/THINK]", "```", "```json\n", "```tool_code\n",
      "\n```",
      "{\"name\": \"now\", \"arguments\": {", "{\"name\": \"now\"", "\"arguments\":", "{\"tool_calls\": [", "}}", "}",
      "]", "{",
      "[", "\"", "'", "\\", ",", ":", ";", "now", "get_weather(city=\"x\")", "null", "True", "12", "é", "🙂", "\u{2581}",
      "\n", "\n\n", " ", "\t", "plain text", "<", "<|", "｜", "`",
    ]

  private static func turn(_ generator: inout SeededGenerator) -> String {
    var input = ""
    for _ in 0..<Int.random(in: 1...12, using: &generator) {
      let fragment = fragments.randomElement(using: &generator) ?? ""
      let count = fragment.unicodeScalars.count
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: input.unicodeScalars += fragment.unicodeScalars.prefix(Int.random(in: 0...count, using: &generator))
      case 1: input.unicodeScalars += fragment.unicodeScalars.dropFirst(Int.random(in: 0...count, using: &generator))
      default: input += fragment
      }
    }
    // Losing, doubling or swapping single characters breaks what was whole.
    for _ in 0..<Int.random(in: 0...3, using: &generator) {
      var scalars = Array(input.unicodeScalars)
      guard let index = scalars.indices.randomElement(using: &generator) else { break }
      switch Int.random(in: 0..<3, using: &generator) {
      case 0: scalars.remove(at: index)
      case 1: scalars.insert(scalars[index], at: index)
      default: scalars.swapAt(index, scalars.indices.randomElement(using: &generator) ?? index)
      }
      input = String(String.UnicodeScalarView(scalars))
    }
    return input
  }

  private static func cuts(_ count: Int, _ generator: inout SeededGenerator) -> [Int] {
    guard count > 0 else { return [] }
    if Bool.random(using: &generator) { return Array(1..<count) }
    return (0..<Int.random(in: 0...8, using: &generator)).map { _ in Int.random(in: 0...count, using: &generator) }
      .sorted()
  }

  @Test func `random markup loses nothing, breaks nothing, and reads the same however it is cut`() {
    for round in 0..<Self.rounds {
      let seed = Self.firstSeed &+ UInt64(round)
      var generator = SeededGenerator(seed: seed)
      let input = Self.turn(&generator)
      let dialect = ToolCallDialect.allCases.randomElement(using: &generator) ?? .auto
      let truncated = Bool.random(using: &generator)
      let options = ToolCallParser.Options(
        startsInThinking: Int.random(in: 0..<4, using: &generator) == 0,
        limits: .init(callBytes: Bool.random(using: &generator) ? 4 << 20 : Int.random(in: 8...200, using: &generator)),
        reportsMarkup: true)
      let whole = parse(input, dialect, options: options, truncated: truncated)
      #expect(whole.source == input, "seed \(seed), \(dialect)")
      #expect(whole.violations == [], "seed \(seed), \(dialect)")
      for call in whole.calls {
        if case .object = call.arguments { #expect(!call.name.isEmpty, "seed \(seed), \(dialect)") }
      }
      for _ in 0..<4 {
        let cuts = Self.cuts(input.utf8.count, &generator)
        let turn = parse(input, dialect, cuts: cuts, options: options, truncated: truncated)
        guard turn != whole else { continue }
        let way = cuts.count > 8 ? "byte by byte" : "cut at \(cuts)"
        Issue.record(
          """
          seed \(seed), \(dialect), \(options), truncated \(truncated), \(way)
          \(input.debugDescription)
          whole: \(whole)
          cut: \(turn)
          """)
        return
      }
      guard whole.source == input, whole.violations == [] else {
        Issue.record("\(input.debugDescription)\n\(whole)")
        return
      }
    }
  }

  @Test func `random bytes are decoded as the standard library decodes the whole`() {
    for round in 0..<(Self.rounds / 3) {
      let seed = Self.firstSeed &+ UInt64(round)
      var generator = SeededGenerator(seed: seed)
      let alphabet: [UInt8] = [
        0x20, 0x3C, 0x61, 0x80, 0xBF, 0xC3, 0xE2, 0x96, 0x81, 0xED, 0xA0, 0xF0, 0x9F, 0xF5, 0xFF,
      ]
      let bytes = (0..<Int.random(in: 0...24, using: &generator)).map { _ in
        alphabet.randomElement(using: &generator) ?? 0
      }
      var parser = ToolCallParser(.auto, tools: .samples)
      var outputs: [ToolCallParser.Output] = []
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = Int.random(in: 0...min(3, rest.count), using: &generator)
        outputs += parser.feed(bytes: rest.prefix(count))
        rest = rest.dropFirst(count)
      }
      outputs += parser.finish()
      #expect(ParsedTurn(outputs).text == String(decoding: bytes, as: UTF8.self), "seed \(seed)")
    }
  }
}
