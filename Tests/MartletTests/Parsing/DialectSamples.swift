import Martlet
import MartletJSON

private let oslo: JSONObject = ["city": "Oslo"]
private let rome: JSONObject = ["city": "Rome", "days": 3]

extension DialectSample {
  /// At least one turn of every form that a dialect has.
  static let all: [DialectSample] =
    hermes + llama3 + json + mistral + deepSeek + gemma + granite + phi + commandR + glm + kimi + miniMax + qwenCoder
    + harmony + thinkingTags

  static let hermes: [DialectSample] = [
    .init(
      dialect: .hermes, name: "one call",
      input: "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}\n</tool_call>",
      calls: [.of("get_weather", oslo)]),
    .init(
      dialect: .hermes, name: "text, then parallel calls",
      input: """
        Let me look.
        <tool_call>
        {"name": "get_weather", "arguments": {"city": "Oslo"}}
        </tool_call>
        <tool_call>
        {"name": "get_weather", "arguments": {"city": "Rome", "days": 3}}
        </tool_call>
        """,
      text: "Let me look.", calls: [.of("get_weather", oslo), .of("get_weather", rome)]),
    .init(
      dialect: .hermes, name: "closing tag missing at the end",
      input: "<tool_call>{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}",
      calls: [.of("get_weather", oslo)]),
    .init(
      dialect: .hermes, name: "closing tag missing between calls",
      input:
        "<tool_call>{\"name\":\"now\",\"arguments\":{}}\n<tool_call>{\"name\":\"now\",\"arguments\":{}}</tool_call>",
      calls: [.of("now"), .of("now")]),
    .init(
      dialect: .hermes, name: "the closing tag inside a string",
      input:
        "<tool_call>{\"name\":\"write_file\",\"arguments\":{\"path\":\"a\",\"content\":\"</tool_call>\"}}</tool_call>ok",
      text: "ok", calls: [.of("write_file", ["path": "a", "content": "</tool_call>"])]),
    .init(
      dialect: .hermes, name: "arguments before the name",
      input: "<tool_call>{\"arguments\": {\"city\": \"Oslo\"}, \"name\": \"get_weather\"}</tool_call>",
      calls: [.of("get_weather", oslo)]),
    .init(
      dialect: .hermes, name: "a list",
      input:
        "<tool_call>[{\"name\":\"get_weather\",\"arguments\":{\"city\":\"Oslo\"}},{\"name\":\"now\",\"arguments\":{}}]</tool_call>",
      calls: [.of("get_weather", oslo), .of("now")]),
    .init(
      dialect: .hermes, name: "two objects in one tag",
      input: "<tool_call>\n{\"name\":\"now\",\"arguments\":{}}\n{\"name\":\"now\"}\n</tool_call>",
      calls: [.of("now"), .of("now")]),
    .init(
      dialect: .hermes, name: "a tool that was not offered",
      input: "<tool_call>{\"name\":\"fly\",\"arguments\":{\"to\":\"Mars\"}}</tool_call>",
      calls: [.of("fly", ["to": "Mars"])]),
    .init(
      dialect: .hermes, name: "a brace too many, fenced, characters of four bytes",
      input:
        "Gern 🙂\n<tool_call>\n```json\n{\"name\":\"get_time\",\"arguments\":{\"timezone\":\"🕐é漢\"}}}\n```\n</tool_call>\n",
      text: "Gern 🙂", calls: [.of("get_time", ["timezone": "🕐é漢"])]),
    .init(
      dialect: .hermes, name: "text after the call",
      input: "<tool_call>{\"name\":\"now\",\"arguments\":{}}</tool_call>\n\nDone.<|im_end|>", text: "Done.",
      calls: [.of("now")]),
    .init(
      dialect: .hermes, name: "thinking, then a call",
      input:
        "<think>\nOslo it is.\n</think>\n\n<tool_call>\n{\"name\":\"get_weather\",\"arguments\":{\"city\":\"Oslo\"}}\n</tool_call>",
      thinking: "Oslo it is.", calls: [.of("get_weather", oslo)]),
  ]

  static let llama3: [DialectSample] = [
    .init(
      dialect: .llama3, name: "python tag with JSON",
      input: "<|python_tag|>{\"type\": \"function\", \"name\": \"get_weather\", \"parameters\": {\"city\": \"Oslo\"}}",
      calls: [.of("get_weather", oslo)]),
    .init(
      dialect: .llama3, name: "python tag, semicolons",
      input:
        "<|python_tag|>{\"name\":\"get_weather\",\"parameters\":{\"city\":\"Oslo\"}}; {\"name\":\"now\",\"parameters\":{}}<|eom_id|>",
      calls: [.of("get_weather", oslo), .of("now")]),
    .init(
      dialect: .llama3, name: "bare JSON", input: "{\"name\": \"get_weather\", \"parameters\": {\"city\": \"Oslo\"}}",
      calls: [.of("get_weather", oslo)]),
    .init(
      dialect: .llama3, name: "bare JSON after text, separated by a semicolon",
      input:
        "I will ask.\n{\"name\":\"now\",\"parameters\":{}};{\"name\":\"get_time\",\"parameters\":{\"timezone\":\"UTC\"}}",
      text: "I will ask.", calls: [.of("now"), .of("get_time", ["timezone": "UTC"])]),
    .init(
      dialect: .llama3, name: "bare JSON on lines",
      input: "{\"name\":\"now\",\"parameters\":{}}\n{\"name\":\"now\",\"parameters\":{}}",
      calls: [.of("now"), .of("now")]),
    .init(
      dialect: .llama3, name: "a built-in tool",
      input: "<|python_tag|>brave_search.call(query=\"gold price\")<|eom_id|>",
      calls: [.of("brave_search", ["query": "gold price"])]),
    .init(
      dialect: .llama3, name: "a function tag with JSON",
      input: "<function=get_weather>{\"city\": \"Oslo\"}</function>", calls: [.of("get_weather", oslo)]),
    .init(
      dialect: .llama3, name: "a list of Python calls",
      input: "[get_weather(city='Oslo'), get_weather(city=\"Rome\", days=3)]",
      calls: [.of("get_weather", oslo), .of("get_weather", rome)]),
  ]

  static let json: [DialectSample] = [
    .init(
      dialect: .json, name: "tool_calls with a name and an object",
      input:
        "{ \"tool_calls\": [ { \"function\": \"currentDateTime\", \"arguments\": {\"timeZoneID\": \"Asia/Shanghai\"} } ] }",
      calls: [.of("currentDateTime", ["timeZoneID": "Asia/Shanghai"])]),
    .init(
      dialect: .json, name: "tool_calls as OpenAI writes them",
      input:
        "{\"tool_calls\":[{\"id\":\"call_1\",\"type\":\"function\",\"function\":{\"name\":\"get_weather\",\"arguments\":\"{\\\"city\\\": \\\"Oslo\\\"}\"}},{\"function\":\"now\"}]}",
      calls: [.of("get_weather", oslo, id: "call_1"), .of("now")]),
    .init(
      dialect: .json, name: "a fence",
      input: "Sure:\n```json\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}\n```\nAsked.",
      text: "Sure:\nAsked.", calls: [.of("get_weather", oslo)]),
    .init(
      dialect: .json, name: "a fence without a language, a list",
      input:
        "```\n[{\"tool\": \"get_weather\", \"parameters\": {\"city\": \"Oslo\"}}, {\"function\": \"now\", \"args\": {}}]\n```",
      calls: [.of("get_weather", oslo), .of("now")]),
    .init(
      dialect: .json, name: "a call inside of function_call",
      input: "{\"function_call\": {\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}}",
      calls: [.of("get_weather", oslo)]),
    .init(
      dialect: .json, name: "data with a name", input: "{\"name\": \"Oslo\", \"arguments\": {}}",
      text: "{\"name\": \"Oslo\", \"arguments\": {}}"),
    .init(
      dialect: .json, name: "an answer in JSON", input: "{\"temperature\": 3, \"name\": \"now\", \"arguments\": {}}",
      text: "{\"temperature\": 3, \"name\": \"now\", \"arguments\": {}}"),
    .init(
      dialect: .json, name: "a tool's name without arguments", input: "{\"name\": \"now\"}", text: "{\"name\": \"now\"}"
    ),
    .init(
      dialect: .json, name: "calls inside of data",
      input: "{\"rows\": [\n{\"name\": \"now\", \"arguments\": {}}\n]}\n",
      text: "{\"rows\": [\n{\"name\": \"now\", \"arguments\": {}}\n]}\n"),
    .init(
      dialect: .json, name: "code in another language",
      input: "```python\n{\"name\": \"now\", \"arguments\": {}}\n```\n",
      text: "```python\n{\"name\": \"now\", \"arguments\": {}}\n```\n"),
    .init(
      dialect: .json, name: "a list of which one is no call",
      input: "[{\"name\": \"now\", \"arguments\": {}}, {\"x\": 1}]",
      text: "[{\"name\": \"now\", \"arguments\": {}}, {\"x\": 1}]"),
    .init(
      dialect: .json, name: "JSON in the middle of a line", input: "Send {\"name\": \"now\", \"arguments\": {}} to it.",
      text: "Send {\"name\": \"now\", \"arguments\": {}} to it."),
  ]

  static let mistral: [DialectSample] = [
    .init(
      dialect: .mistral, name: "a list",
      input:
        "[TOOL_CALLS] [{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}, \"id\": \"9Ae3bDc2F\"}, {\"name\": \"now\", \"arguments\": {}}]",
      calls: [.of("get_weather", oslo, id: "9Ae3bDc2F"), .of("now")]),
    .init(
      dialect: .mistral, name: "names with arguments",
      input: "Looking.[TOOL_CALLS]get_weather[ARGS]{\"city\": \"Oslo\"}[TOOL_CALLS]now[ARGS]{}",
      text: "Looking.", calls: [.of("get_weather", oslo), .of("now")]),
    .init(
      dialect: .mistral, name: "ids, and no token before the arguments",
      input:
        "[TOOL_CALLS]get_weather[CALL_ID]abc123XYZ[ARGS]{\"city\":\"Oslo\"}[TOOL_CALLS]get_weather{\"city\": \"Rome\", \"days\": 3}",
      calls: [.of("get_weather", oslo, id: "abc123XYZ"), .of("get_weather", rome)]),
    .init(
      dialect: .mistral, name: "thinking", input: "[THINK]Hm.[/THINK]Yes.", text: "Yes.", thinking: "Hm."),
    .init(
      dialect: .mistral, name: "the token in prose", input: "[TOOL_CALLS] is a token", text: "[TOOL_CALLS] is a token"),
  ]

  static let deepSeek: [DialectSample] = [
    .init(
      dialect: .deepSeek, name: "V3",
      input: """
        I look.<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather
        ```json
        {"city": "Oslo"}
        ```<｜tool▁call▁end｜>
        <｜tool▁call▁begin｜>function<｜tool▁sep｜>now
        ```json
        {}
        ```<｜tool▁call▁end｜><｜tool▁calls▁end｜><｜end▁of▁sentence｜>
        """,
      text: "I look.", calls: [.of("get_weather", oslo), .of("now")]),
    .init(
      dialect: .deepSeek, name: "V3.1",
      input:
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{\"city\": \"Oslo\"}<｜tool▁call▁end｜><｜tool▁call▁begin｜>now<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
      calls: [.of("get_weather", oslo), .of("now")]),
    .init(
      dialect: .deepSeek, name: "R1 distilled: other spaces, a token missing",
      input:
        "<think>\nWeather.\n</think>\n\n<｜tool_calls_begin｜>function<｜tool_sep｜>get_weather\n```json\n{\"city\": \"Oslo\"}\n```<｜tool_call_end｜><｜tool_calls_end｜>",
      thinking: "Weather.", calls: [.of("get_weather", oslo)]),
    .init(
      dialect: .deepSeek, name: "thinking left open before the calls",
      input:
        "<think>Weather<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>now<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
      thinking: "Weather", calls: [.of("now")]),
    .init(
      dialect: .deepSeek, name: "V3.2",
      input: """
        Sure.

        <｜DSML｜function_calls>
        <｜DSML｜invoke name="get_weather">
        <｜DSML｜parameter name="city" string="true">Rome</｜DSML｜parameter>
        <｜DSML｜parameter name="days" string="false">3</｜DSML｜parameter>
        </｜DSML｜invoke>
        <｜DSML｜invoke name="other">
        <｜DSML｜parameter name="a" string="true">3</｜DSML｜parameter>
        <｜DSML｜parameter name="b" string="false">[3]</｜DSML｜parameter>
        </｜DSML｜invoke>
        </｜DSML｜function_calls>
        """,
      text: "Sure.", calls: [.of("get_weather", rome), .of("other", ["a": "3", "b": [3]])]),
  ]

  static let gemma: [DialectSample] = [
    .init(
      dialect: .gemma, name: "tool_code", input: "Okay.\n```tool_code\nget_weather(city=\"Oslo\")\n```",
      text: "Okay.", calls: [.of("get_weather", oslo)]),
    .init(
      dialect: .gemma, name: "tool_code with print, two lines",
      input: "```tool_code\nprint(default_api.get_weather(city='Rome', days=3))\nnow()  # a comment\n```\n",
      calls: [.of("get_weather", rome), .of("now")]),
    .init(
      dialect: .gemma, name: "a Python fence with offered tools only",
      input: "```python\nprint(get_weather(\"Oslo\"))\n```", calls: [.of("get_weather", oslo)], isUnambiguous: false),
    .init(
      dialect: .gemma, name: "a Python fence with other code", input: "```python\nprint(len(\"Oslo\"))\n```",
      text: "```python\nprint(len(\"Oslo\"))\n```"),
    .init(
      dialect: .gemma, name: "JSON",
      input: "```json\n{\"name\": \"get_weather\", \"parameters\": {\"city\": \"Oslo\"}}\n```",
      calls: [.of("get_weather", oslo)]),
    .init(
      dialect: .gemma, name: "Gemma 4",
      input:
        "<|channel>thought\nHm.\n<channel|>Let me see.<|tool_call>call:get_weather{city:<|\"|>Rome, {it}<|\"|>,days:3,tags:[<|\"|>a<|\"|>,{b:null}],detailed:true}<tool_call|><|tool_call>call:now{}<tool_call|>",
      text: "Let me see.", thinking: "Hm.",
      calls: [
        .of("get_weather", ["city": "Rome, {it}", "days": 3, "tags": ["a", ["b": nil]], "detailed": true]), .of("now"),
      ]),
    .init(
      dialect: .gemma, name: "FunctionGemma",
      input:
        "<start_function_call>call:get_weather{city:<escape>Oslo<escape>}<end_function_call><start_function_response>",
      calls: [.of("get_weather", oslo)]),
  ]

  static let granite: [DialectSample] = [
    .init(
      dialect: .granite, name: "3.0",
      input: "<|tool_call|> [{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}]",
      calls: [.of("get_weather", oslo)]),
    .init(
      dialect: .granite, name: "3.1, arguments first",
      input:
        "<tool_call>[{\"arguments\": {\"city\": \"Oslo\"}, \"name\": \"get_weather\"}, {\"arguments\": {}, \"name\": \"now\"}]<|end_of_text|>",
      calls: [.of("get_weather", oslo), .of("now")]),
  ]

  static let phi: [DialectSample] = [
    .init(
      dialect: .phi, name: "tags",
      input: "<|tool_call|>{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}<|/tool_call|>",
      calls: [.of("get_weather", oslo)]),
    .init(
      dialect: .phi, name: "functools",
      input:
        "functools[{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}, {\"name\": \"now\", \"arguments\": {}}]",
      calls: [.of("get_weather", oslo), .of("now")]),
    .init(
      dialect: .phi, name: "functools in prose", input: "functools is a Python module.",
      text: "functools is a Python module."),
  ]

  static let commandR: [DialectSample] = [
    .init(
      dialect: .commandR, name: "action tokens",
      input: """
        <|START_THINKING|>I will ask.<|END_THINKING|><|START_ACTION|>[
            {"tool_call_id": "0", "tool_name": "get_weather", "parameters": {"city": "Oslo"}},
            {"tool_call_id": "1", "tool_name": "now", "parameters": {}}
        ]<|END_ACTION|>
        """,
      thinking: "I will ask.", calls: [.of("get_weather", oslo, id: "0"), .of("now", id: "1")]),
    .init(
      dialect: .commandR, name: "a response", input: "<|START_RESPONSE|>It is cold.<|END_RESPONSE|>",
      text: "It is cold."),
    .init(
      dialect: .commandR, name: "action block",
      input:
        "Action: ```json\n[\n    {\n        \"tool_name\": \"get_weather\",\n        \"parameters\": {\"city\": \"Oslo\"}\n    }\n]```",
      calls: [.of("get_weather", oslo)]),
    .init(
      dialect: .commandR, name: "no tool needed",
      input: "Action:```json\n[{\"tool_name\": \"directly-answer\", \"parameters\": {}}]\n```"),
  ]

  static let glm: [DialectSample] = [
    .init(
      dialect: .glm, name: "4.5",
      input: """
        <think></think>
        Looking.
        <tool_call>get_weather
        <arg_key>city</arg_key>
        <arg_value>Rome</arg_value>
        <arg_key>days</arg_key>
        <arg_value>3</arg_value>
        </tool_call>
        <tool_call>now
        </tool_call>
        """,
      text: "Looking.", calls: [.of("get_weather", rome), .of("now")]),
    .init(
      dialect: .glm, name: "4.7, a value that holds its closing tag",
      input:
        "<tool_call>write_file<arg_key>path</arg_key><arg_value>a</arg_value><arg_key>content</arg_key><arg_value><b></arg_value> x</arg_value></tool_call>",
      calls: [.of("write_file", ["path": "a", "content": "<b></arg_value> x"])]),
    .init(
      dialect: .glm, name: "a tool that was not offered",
      input: "<tool_call>fly\n<arg_key>to</arg_key>\n<arg_value>[1, \"x\"]</arg_value>\n</tool_call>",
      calls: [.of("fly", ["to": [1, "x"]])]),
    .init(
      dialect: .glm, name: "the tag in prose", input: "Use <tool_call> and </tool_call> around it.",
      text: "Use <tool_call> and </tool_call> around it."),
  ]

  static let kimi: [DialectSample] = [
    .init(
      dialect: .kimi, name: "K2",
      input:
        "Compare. <|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{\"city\": \"Oslo\"}<|tool_call_end|><|tool_call_begin|>functions.now:1<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>",
      text: "Compare.",
      calls: [.of("get_weather", oslo, id: "functions.get_weather:0"), .of("now", id: "functions.now:1")]),
    .init(
      dialect: .kimi, name: "thinking left open, spaces, no prefix",
      input:
        "<think>So.<|tool_calls_section_begin|> <|tool_call_begin|> get_weather:2 <|tool_call_argument_begin|> {\"city\": \"Oslo\"} <|tool_call_end|> <|tool_calls_section_end|>",
      thinking: "So.", calls: [.of("get_weather", oslo, id: "get_weather:2")]),
  ]

  static let miniMax: [DialectSample] = [
    .init(
      dialect: .miniMax, name: "M2",
      input: """
        <think>
        So.
        </think>

        Looking.
        <minimax:tool_call>
        <invoke name="get_weather">
        <parameter name="city">Rome</parameter>
        <parameter name="days">3</parameter>
        <parameter name="where">{"a": [1]}</parameter>
        </invoke>
        <invoke name="now">
        </invoke>
        </minimax:tool_call>
        """,
      text: "Looking.", thinking: "So.",
      calls: [.of("get_weather", ["city": "Rome", "days": 3, "where": ["a": [1]]]), .of("now")]),
    .init(
      dialect: .miniMax, name: "M1",
      input:
        "<tool_calls>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}\n{\"name\": \"now\", \"arguments\": {}}\n</tool_calls>",
      calls: [.of("get_weather", oslo), .of("now")]),
  ]

  static let qwenCoder: [DialectSample] = [
    .init(
      dialect: .qwenCoder, name: "typed by the schema",
      input: """
        Writing.
        <tool_call>
        <function=write_file>
        <parameter=path>
        42
        </parameter>
        <parameter=content>
        <a>

        </parameter> of it
        </parameter>
        </function>
        </tool_call>
        <tool_call>
        <function=get_weather>
        <parameter=city>
        Rome
        </parameter>
        <parameter=days>
        3
        </parameter>
        <parameter=units>
        null
        </parameter>
        <parameter=detailed>
        True
        </parameter>
        <parameter=tags>
        ['a', None]
        </parameter>
        </function>
        </tool_call>
        """,
      text: "Writing.",
      calls: [
        .of("write_file", ["path": "42", "content": "<a>\n\n</parameter> of it"]),
        .of("get_weather", ["city": "Rome", "days": 3, "units": nil, "detailed": true, "tags": ["a", nil]]),
      ]),
    .init(
      dialect: .qwenCoder, name: "the outer tag is missing",
      input: "<function=get_weather>\n<parameter=city>\nOslo\n</parameter>\n</function>\n</tool_call>",
      calls: [.of("get_weather", oslo)]),
    .init(
      dialect: .qwenCoder, name: "closing tags of values are missing",
      input:
        "<tool_call>\n<function=get_weather>\n<parameter=city>\nRome\n<parameter=days>\n3\n</parameter>\n</function>\n</tool_call>",
      calls: [.of("get_weather", rome, repairs: [.missingClose])]),
    .init(
      dialect: .qwenCoder, name: "closing tags at the end are missing",
      input: "<tool_call>\n<function=get_weather>\n<parameter=city>\nOslo\n</parameter>\n",
      calls: [.of("get_weather", oslo, repairs: [.missingClose])]),
    .init(
      dialect: .qwenCoder, name: "Seed OSS",
      input: "<seed:think>So.</seed:think><seed:tool_call>\n<function=now>\n</function>\n</seed:tool_call>",
      thinking: "So.", calls: [.of("now")]),
  ]

  static let harmony: [DialectSample] = [
    .init(
      dialect: .harmony, name: "thinking, preamble, call",
      input:
        "<|channel|>analysis<|message|>Need it.<|end|><|start|>assistant<|channel|>commentary<|message|>I look.<|end|><|start|>assistant<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{\"city\": \"Oslo\"}<|call|>",
      text: "I look.", thinking: "Need it.", calls: [.of("get_weather", oslo)]),
    .init(
      dialect: .harmony, name: "recipient before the channel, final answer",
      input:
        "<|start|>assistant to=functions.now<|channel|>commentary json<|message|>{}<|call|><|start|>assistant<|channel|>final<|message|>Noon.<|return|>",
      text: "Noon.", calls: [.of("now")]),
  ]

  static let thinkingTags: [DialectSample] = [
    .init(
      dialect: .hermes, name: "inside a line", input: "Hello <thinking>hm</thinking> world.", text: "Hello world.",
      thinking: "hm"),
    .init(
      dialect: .hermes, name: "talk about the tag", input: "Write `<think>` first, or \"</think>\".",
      text: "Write `<think>` first, or \"</think>\"."),
    .init(dialect: .hermes, name: "never closed", input: "<think>\nAnd so on \n", thinking: "And so on \n"),
    .init(dialect: .hermes, name: "closed without being opened", input: "Hm.\n</think>\n\nYes.", text: "Hm.\n\nYes."),
  ]
}
