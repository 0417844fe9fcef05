import Martlet
import MartletHTTP
import MartletJSON
import MartletSimulators
import MartletTesting
import Testing

@Suite struct SimulatorScriptTests {
  static let text = """
    {"replies": [
       {"thinking": "Hm", "text": "Let me", "calls": [{"name": "add", "arguments": {"a": 1, "b": 2}},
         {"name": "add", "arguments_text": "{\\"a\\"", "id": "mine"}], "piece": 1},
       {"blocks": [{"call": {"name": "x"}}, {"text": "after"}, {"output": {"ok": true}}], "stop": "max_tokens",
         "usage": {"input": 7, "output": 3}}],
     "repeats_last_reply": true,
     "faults": [null, {"status": 429, "headers": {"retry-after": 2}, "error_code": "insufficient_quota"},
       {"cut_after": 10, "line_break": "crlf", "comments": true, "chunk_size": 1, "first_byte_delay_ms": 20}],
     "repeats_faults": true, "key": "k", "models": ["m"]}
    """

  @Test func `a script is read from JSON`() throws {
    let script = try SimulatorScript(json: JSONValue(parsing: Self.text))
    #expect(
      script
        == SimulatorScript(
          [
            SimulatedReply(
              [
                .thinking("Hm"), .text("Let me"), .call(SimulatedCall("add", ["a": 1, "b": 2])),
                .call(SimulatedCall("add", text: #"{"a""#, id: "mine")),
              ], pieceSize: 1),
            SimulatedReply(
              [.call(SimulatedCall("x")), .text("after"), .output(["ok": true])], stop: .maxTokens,
              usage: Usage(input: 7, output: 3)),
          ], repeatsLastReply: true,
          faults: [
            nil, SimulatedFault(status: 429, headers: ["retry-after": "2"], errorCode: "insufficient_quota"),
            SimulatedFault(
              firstByteDelay: .milliseconds(20), cutAfter: 10, lineBreak: .crlf, hasComments: true, chunkSize: 1),
          ], repeatsFaults: true, key: "k", models: ["m"]))
  }

  @Test(arguments: [
    (#"[]"#, "script: an object"), (#"{"reply": []}"#, "no field \"reply\""),
    (#"{"replies": {}}"#, "script.replies: a list"),
    (#"{"replies": [{"calls": [{"arguments": {}}]}]}"#, "script.replies[0].calls[0]: a call needs a name"),
    (#"{"replies": [{"blocks": [{}]}]}"#, "script.replies[0].blocks[0]: one of text"),
    (#"{"faults": [null, {"cut_after": -1}]}"#, "script.faults[1].cut_after: a whole number of at least 0"),
    (#"{"faults": [{"line_break": "\n"}]}"#, "one of lf, cr, crlf"),
    (#"{"replies": [{"usage": {"tokens": 1}}]}"#, "script.replies[0].usage: there is no field \"tokens\""),
  ])
  func `a mistake is told with its place`(_ text: String, _ says: String) throws {
    let error = #expect(throws: SimulatorScriptError.self) { try SimulatorScript(json: JSONValue(parsing: text)) }
    #expect(error?.description.contains(says) == true, "\(String(describing: error))")
  }

  @Test(arguments: 0..<4)
  func `any JSON is a script or an error`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let original = Array(Self.text.utf8)
    for _ in 0..<500 {
      var bytes = original
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = original.randomElement(using: &random) ?? 0
      }
      guard let json = try? JSONValue(parsing: bytes) else { continue }
      do { _ = try SimulatorScript(json: json) } catch is SimulatorScriptError {}
    }
  }
}
