import Martlet
import MartletJSON
import Testing

/// What the parser makes of a model's mistakes.
@Suite struct ToolCallFaultTests {
  struct Repaired: CustomTestStringConvertible, Sendable {
    let fault: String
    let dialect: ToolCallDialect
    let input: String
    let call: ToolCallParser.Call
    var testDescription: String { fault }
  }

  private static let oslo: JSONObject = ["city": "Oslo"]

  static let repaired: [Repaired] = [
    .init(
      fault: "single quotes", dialect: .hermes,
      input: "<tool_call>{'name': 'get_weather', 'arguments': {'city': 'Oslo'}}</tool_call>",
      call: .of("get_weather", oslo, repairs: [.singleQuotes])),
    .init(
      fault: "trailing commas", dialect: .hermes,
      input: "<tool_call>{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\",},}</tool_call>",
      call: .of("get_weather", oslo, repairs: [.trailingComma])),
    .init(
      fault: "Python literals", dialect: .hermes,
      input: "<tool_call>{\"name\": \"f\", \"arguments\": {\"a\": True, \"b\": None, \"c\": [False]}}</tool_call>",
      call: .of("f", ["a": true, "b": nil, "c": [false]], repairs: [.pythonLiteral])),
    .init(
      fault: "line breaks in strings", dialect: .hermes,
      input: "<tool_call>{\"name\": \"f\", \"arguments\": {\"a\": \"x\ny\tz\"}}</tool_call>",
      call: .of("f", ["a": "x\ny\tz"], repairs: [.rawControlCharacter])),
    .init(
      fault: "the last brace is missing", dialect: .hermes,
      input: "<tool_call>{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}</tool_call>",
      call: .of("get_weather", oslo, repairs: [.missingClose])),
    .init(
      fault: "the last brace is missing where the turn ends", dialect: .llama3,
      input: "{\"name\": \"get_weather\", \"parameters\": {\"city\": \"Oslo\"}",
      call: .of("get_weather", oslo, repairs: [.missingClose])),
    .init(
      fault: "keys without quotes, an escaped apostrophe", dialect: .hermes,
      input: "<tool_call>{name: \"get_weather\", arguments: {city: \"L\\'Aquila\"}}</tool_call>",
      call: .of("get_weather", ["city": "L'Aquila"], repairs: [.unquotedKey, .invalidEscape])),
    .init(
      fault: "arguments as a Python dictionary in a string", dialect: .hermes,
      input: "<tool_call>{\"name\": \"get_weather\", \"arguments\": \"{'city': 'Oslo'}\"}</tool_call>",
      call: .of("get_weather", oslo, repairs: [.singleQuotes])),
    .init(
      fault: "single quotes outside the arguments", dialect: .json,
      input: "{'name': 'get_weather', 'arguments': {\"city\": \"Oslo\"}}",
      call: .of("get_weather", oslo, repairs: [.singleQuotes])),
    .init(
      fault: "a missing brace after a DeepSeek name", dialect: .deepSeek,
      input:
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{\"city\": \"Oslo\"<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
      call: .of("get_weather", oslo, repairs: [.missingClose])),
    .init(
      fault: "a brace too many before a closer", dialect: .kimi,
      input:
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{\"city\":\"Oslo\"}}<|tool_call_end|><|tool_calls_section_end|>",
      call: .of("get_weather", oslo, id: "functions.get_weather:0")),
    .init(
      fault: "no arguments key", dialect: .hermes, input: "<tool_call>{\"name\": \"now\"}</tool_call>", call: .of("now")
    ),
    .init(
      fault: "null arguments", dialect: .mistral, input: "[TOOL_CALLS][{\"name\":\"now\",\"arguments\":null}]",
      call: .of("now")),
    .init(
      fault: "a GLM value without its closing tag", dialect: .glm,
      input: "<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Oslo</tool_call>",
      call: .of("get_weather", oslo, repairs: [.missingClose])),
  ]

  @Test(arguments: repaired)
  func `a fault with one reading is repaired and said so`(_ sample: Repaired) {
    for cuts in [[], Array(1..<sample.input.utf8.count)] {
      let turn = parse(sample.input, sample.dialect, cuts: cuts)
      #expect(turn.calls == [sample.call])
      #expect(turn.text == "")
      #expect(turn.violations == [])
    }
  }

  struct Unparsed: CustomTestStringConvertible, Sendable {
    let fault: String
    let dialect: ToolCallDialect
    let input: String
    var name = "get_weather"
    var reason: String
    var text = ""
    var truncated = false
    var testDescription: String { fault }
  }

  static let unparsed: [Unparsed] = [
    .init(
      fault: "an unescaped quote", dialect: .hermes,
      input: "<tool_call>{\"name\": \"get_weather\", \"arguments\": {\"city\": \"the \"big\" one\"}}</tool_call>ok",
      reason: "a comma is missing, or a quotation mark inside a string is not escaped", text: "ok"),
    .init(
      fault: "a string without an end, before the closing tag", dialect: .hermes,
      input: "<tool_call>{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo}}</tool_call> ok",
      reason: "a string has no end", text: "ok"),
    .init(
      fault: "cut off inside a string", dialect: .hermes,
      input: "<tool_call>{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Os", reason: "a string has no end",
      truncated: true),
    .init(
      fault: "cut off between arguments", dialect: .llama3,
      input: "{\"name\": \"get_weather\", \"parameters\": {\"city\": \"Oslo\"",
      reason: "the output was cut off inside the JSON value", truncated: true),
    .init(
      fault: "a number at the end may have more digits", dialect: .mistral,
      input: "[TOOL_CALLS]get_weather[ARGS]{\"days\": 1", reason: "the text ends inside a number"),
    .init(
      fault: "the name is missing", dialect: .hermes,
      input: "<tool_call>{\"arguments\": {\"city\": \"Oslo\"}}</tool_call>",
      name: "", reason: "the call has no tool name"),
    .init(
      fault: "arguments are a list", dialect: .hermes,
      input: "<tool_call>{\"name\": \"get_weather\", \"arguments\": [\"Oslo\"]}</tool_call>",
      reason: "the arguments must be a JSON object"),
    .init(
      fault: "arguments are text", dialect: .hermes,
      input: "<tool_call>{\"name\": \"get_weather\", \"arguments\": \"Oslo\"}</tool_call>",
      reason: "\"Oslo\" is no JSON value"),
    .init(
      fault: "a key twice", dialect: .hermes,
      input:
        "<tool_call>{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\", \"city\": \"Rome\"}}</tool_call>",
      reason: "the key \"city\" appears twice"),
    .init(
      fault: "brackets that do not match", dialect: .deepSeek,
      input:
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{\"tags\": [1, 2}<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
      reason: "the brackets do not match"),
    .init(
      fault: "a parameter twice", dialect: .miniMax,
      input:
        "<minimax:tool_call><invoke name=\"get_weather\"><parameter name=\"city\">a</parameter><parameter name=\"city\">b</parameter></invoke></minimax:tool_call>",
      reason: "the parameter \"city\" is given twice"),
    .init(
      fault: "text between parameters", dialect: .qwenCoder,
      input: "<tool_call><function=get_weather><parameter=city>a</parameter><oops></function></tool_call>",
      reason: "text stands between the parameters"),
    .init(
      fault: "cut off inside a parameter", dialect: .qwenCoder,
      input: "<tool_call><function=get_weather><parameter=city>\nOs",
      reason: "the output ended inside the value of \"city\"", truncated: true),
    .init(
      fault: "cut off after a parameter", dialect: .miniMax,
      input: "<minimax:tool_call><invoke name=\"get_weather\"><parameter name=\"city\">a</parameter>",
      reason: "the output was cut off inside the call", truncated: true),
    .init(
      fault: "cut off before the arguments", dialect: .kimi,
      input: "<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>",
      reason: "the output ended before the arguments"),
    .init(
      fault: "a bare counter as id", dialect: .kimi,
      input:
        "<|tool_calls_section_begin|><|tool_call_begin|>0<|tool_call_argument_begin|>{\"city\":\"Oslo\"}<|tool_call_end|><|tool_calls_section_end|>",
      name: "", reason: "the call has no tool name"),
    .init(
      fault: "Python that computes", dialect: .gemma, input: "```tool_code\nget_weather(city=\"Os\" + \"lo\")\n```",
      name: "", reason: "only literal arguments can be read"),
    .init(
      fault: "an unquoted word", dialect: .gemma, input: "<|tool_call>call:get_weather{city:Oslo}<tool_call|>",
      reason: "\"Oslo\" is no value"),
    .init(
      fault: "half of a surrogate pair", dialect: .hermes,
      input: "<tool_call>{\"name\": \"get_weather\", \"arguments\": {\"city\": \"\\ud83d\"}}</tool_call>",
      reason: "a string holds half of a surrogate pair"),
  ]

  @Test(arguments: unparsed)
  func `what has no single reading is reported with its reason, never guessed and never empty`(_ sample: Unparsed)
    throws
  {
    for cuts in [[], Array(1..<sample.input.utf8.count)] {
      let turn = parse(sample.input, sample.dialect, cuts: cuts, truncated: sample.truncated)
      #expect(turn.calls.count == 1)
      #expect(turn.calls.first?.name == sample.name)
      #expect(turn.text == sample.text)
      #expect(turn.violations == [])
      guard case .unparsed(_, let reason) = try #require(turn.calls.first).arguments else {
        Issue.record("was read as \(turn.calls)")
        continue
      }
      #expect(reason == sample.reason)
    }
  }

  @Test(arguments: [
    "<tool_call>", "<tool_call> ", "<tool_call>{", "<tool_call>{\"na", "Use <tool_call>!", "< tool_call>", "<tool_call",
    "<tool_call>[1, 2", "[TOOL_CALLS] [", "[TOOL_CALLS", "[TOOL_CALLS]call me", "<|python_tag|>", "functools(",
    "<function=", "<function=x> is a tag", "<function=now>", "<minimax:tool_call>x", "<invoke name=\"x\">",
    "<｜tool▁calls▁begin｜>get_weather", "<|tool_calls_section_begin|>", "<|tool_call_begin|>x",
    "Action: run", "```", "```json", "```json\n", "```json\n{\"a\": 1}\n```", "```js\nf()\n```", "``` \n\n", "{", "[",
    "[[[[[[", "{{{{{{", "[now", "[now()", "[other()]", "{\"name\"", "{\"name\": \"now\"",
    "{\"name\": \"now\", \"arguments\": 1",
    "{\"name\": \"now\", \"x\": 1, \"arguments\": {}}", "{\"name\": \"nope\", \"arguments\": {}}",
    "{\"tool_calls\": [1]}",
    "{\"tool_calls\": []}", "[]", "{}", "a {b} [c] <d> `e`", "<|channel|>analysis", "<|tool_call>call me<tool_call|>",
    "<tool_call>x y</tool_call>", "\n\n", " x ", "a\n\n\nb  ", "\u{FEFF}{\"name\": \"now\", \"arguments\": {}}",
  ])
  func `text that only looks like a call comes out as it was`(_ input: String) {
    for dialect in ToolCallDialect.allCases {
      let turn = parse(input, dialect)
      #expect(turn.text == input, "\(dialect)")
      #expect(turn.calls == [])
      for cut in 0...input.utf8.count {
        #expect(parse(input, dialect, cuts: [cut]) == turn, "\(dialect), cut at \(cut)")
      }
    }
  }

  @Test(arguments: ToolCallDialect.allCases)
  func `prose is not held back`(_ dialect: ToolCallDialect) {
    var parser = ToolCallParser(dialect, tools: .samples)
    for word in ["The ", "answer: ", "42 < 43 ", "and {x} ", "or [y] ", "done."] {
      let turn = ParsedTurn(parser.feed(word))
      #expect(turn.text.trimmed() == word.trimmed())
    }
  }

  @Test func `with no tools offered JSON is never a call`() {
    let input = "{\"name\": \"now\", \"arguments\": {}}"
    #expect(parse(input, .json, tools: OfferedTools()).text == input)
  }

  @Test func `output that begins inside of thinking`() {
    let options = ToolCallParser.Options(startsInThinking: true)
    for input in ["Hm.\n</think>\n\nYes.", "\nHm.</think>Yes.", "<think>\nHm.\n</think>Yes.", "Hm.[/THINK]Yes."] {
      for cut in 0...input.utf8.count {
        let turn = parse(input, .auto, cuts: [cut], options: options)
        #expect(turn.thinking == "Hm.", "\(input)")
        #expect(turn.text == "Yes.")
      }
    }
    #expect(parse("Hm, hm", .hermes, options: options).thinking == "Hm, hm")
  }

  @Test func `a call in thinking that was closed is not run`() {
    let turn = parse("<think>Perhaps <tool_call>{\"name\":\"now\",\"arguments\":{}}</tool_call></think>No.", .hermes)
    #expect(turn.calls == [])
    #expect(turn.text == "No.")
  }

  @Test(arguments: ["now", "other"])
  func `the code of an interpreter needs a tool for it`(_ tool: String) {
    let input = "<|python_tag|>import math\nprint(math.pi)<|eom_id|>"
    #expect(parse(input, .llama3).calls == [])
    let turn = parse(input, .llama3, tools: OfferedTools(names: ["code_interpreter", tool]))
    #expect(turn.calls == [.of("code_interpreter", ["code": "import math\nprint(math.pi)"])])
  }

  @Test func `a call above the length limit is unparsed, and what follows is read`() throws {
    let options = ToolCallParser.Options(limits: .init(callBytes: 64), reportsMarkup: true)
    let filler = String(repeating: "é", count: 100)
    let inputs: [(ToolCallDialect, String)] = [
      (.hermes, "a<tool_call>{\"name\":\"write_file\",\"arguments\":{\"content\":\"\(filler)\"}}</tool_call>b"),
      (.llama3, "{\"name\":\"write_file\",\"parameters\":{\"content\":\"\(filler)\"}}\nb"),
      (.qwenCoder, "a<tool_call><function=write_file><parameter=content>\(filler)</parameter></function></tool_call>b"),
      (.glm, "a<tool_call>write_file<arg_key>content</arg_key><arg_value>\(filler)</arg_value></tool_call>b"),
      (.deepSeek, "a<｜tool▁call▁begin｜>write_file<｜tool▁sep｜>{\"content\":\"\(filler)\"}<｜tool▁call▁end｜>b"),
    ]
    for (dialect, input) in inputs {
      let whole = parse(input, dialect, options: options)
      #expect(whole.calls.map(\.name) == ["write_file"])
      guard case .unparsed(let text, let reason) = try #require(whole.calls.first).arguments else {
        Issue.record("\(dialect) read it")
        continue
      }
      #expect(reason == "the call is longer than 64 bytes")
      #expect(text.utf8.count <= 64)
      #expect(whole.text.hasSuffix("b") && whole.text.utf8.count <= 3, "\(whole)")
      #expect(whole.source == input)
      for cut in 0...input.utf8.count {
        #expect(parse(input, dialect, cuts: [cut], options: options) == whole, "\(dialect), cut at \(cut)")
      }
      #expect(parse(input, dialect, cuts: 1..<input.utf8.count, options: options) == whole)
    }
  }

  @Test func `arguments nested too deep are unparsed`() throws {
    let deep = String(repeating: "[", count: 200) + String(repeating: "]", count: 200)
    let turn = parse("<tool_call>{\"name\":\"f\",\"arguments\":{\"a\":\(deep)}}</tool_call>ok", .hermes)
    guard case .unparsed = try #require(turn.calls.first).arguments else {
      Issue.record("was read")
      return
    }
    #expect(turn.calls.first?.name == "f")
    #expect(turn.text == "ok")
  }
}

extension String {
  fileprivate func trimmed() -> String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
