import Martlet
import MartletJSON
import Testing

/// The event format, type by type: what is written is what the format says, and reads back as the same event.
@Suite struct EventFormatTests {
  static let call: JSONValue = ["id": "call_a", "name": "echo", "arguments": ["text": "hi"]]
  static let text: JSONValue = ["type": "text", "text": "hi"]
  static let user: JSONValue = ["role": "user", "content": [["type": "text", "text": "hi"]]]
  static let usage: JSONValue = [
    "input": 3, "cached_input": 1, "cache_write": 0, "output": 2, "reasoning": 1, "total": 5,
  ]
  static let tool: JSONValue = [
    "name": "echo", "title": "Echo", "description": "Repeats.", "parameters": ["type": "object"],
    "effect": "read_only", "concurrent": true, "requires_permission": false, "instant": false,
  ]

  static let durable: [(String, JSONValue)] = [
    (
      "session_created",
      ["format": 1, "owner": "local", "forked_from": ["session": "p", "seq": 4], "parent": nil, "meta": [:]]
    ),
    (
      "session_created",
      ["format": 1, "forked_from": nil, "parent": ["session": "p", "run": "r", "call_id": "c"], "meta": ["k": 1]]
    ),
    ("session_updated", ["title": "A talk"]),
    (
      "context",
      ["instructions": [text], "tools": [tool], "model": "a/b", "options": ["max_output_tokens": 9], "epoch": 1]
    ),
    ("run_started", ["budget": ["iterations": 5, "time_ms": 1000], "reason": "prompt"]),
    ("run_resumed", ["reason": "resume", "previous_owner": "pid 7"]),
    ("prompt", ["message_id": "m", "message": user, "queue_id": "q"]),
    ("queued", ["queue_id": "q", "message": user, "mode": "follow_up"]),
    ("unqueued", ["queue_id": "q"]),
    ("iteration_started", ["iteration": 2]),
    (
      "model_call",
      ["purpose": "turn", "model": "a/b", "attempt": 1, "message_id": "m", "reserved": ["tokens": 10, "usd": nil]]
    ),
    ("model_call_ended", ["usage": usage, "cost": nil, "request_id": "x", "error": nil]),
    (
      "model_call_ended",
      [
        "usage": usage, "cost": 0.25, "error": ["code": "overloaded", "message": "busy", "retry_after_ms": nil],
        "next_attempt_in_ms": 500,
      ]
    ),
    (
      "assistant_message",
      [
        "message_id": "m", "message": ["role": "assistant", "content": [text]], "stop_reason": "end_turn",
        "interrupted": false, "usage": usage,
      ]
    ),
    (
      "approval_requested", ["approval_id": "a", "call": call, "options": [["key": "y", "label": "Yes", "rule": nil]]]
    ),
    (
      "approval_resolved",
      [
        "approval_id": "a", "decision": "allow", "scope": "once", "by": "me", "arguments": ["text": "ho"],
        "reason": "fine",
      ]
    ),
    (
      "input_requested",
      ["input_id": "i", "call_id": "c", "kind": "question", "payload": ["q": 1], "expires": "2026-11-30T00:00:00.000Z"]
    ),
    ("input_resolved", ["input_id": "i", "value": 4, "declined": false]),
    ("waiting", ["approvals": ["a"], "inputs": []]),
    ("tool_started", ["call": call, "effect": "once", "child": ["session": "c"]]),
    (
      "tool_finished",
      [
        "call_id": "c", "name": "echo", "result": ["content": [text], "is_error": true, "code": "timeout"],
        "duration_ms": 1.5,
      ]
    ),
    (
      "compacted",
      [
        "policy": "p", "from_seq": 1, "to_seq": 5, "keep": [3], "cleared": ["c"],
        "offloaded": [["call_id": "d", "blob": "d", "limit": 400]], "summary": [text], "tokens_before": 9,
        "tokens_after": 3,
        "reason": "full", "epoch": 2,
      ]
    ),
    ("history_replaced", ["messages": [user]]),
    ("rewound", ["to_seq": 3]),
    ("handed_off", ["agent": "other"]),
    ("warning", ["code": "w", "message": "Look out."]),
    ("cancel_requested", ["by": "user"]),
    ("finished", ["iterations": 2, "reason": "answered", "output": ["x": 1], "usage": usage, "cost": nil]),
    ("failed", ["code": "overloaded", "message": "busy", "retryable": true]),
  ]

  static let ephemeral: [(String, JSONValue)] = [
    ("text", ["message_id": "m", "block": 0, "offset": 4, "delta": "hi"]),
    ("thinking", ["message_id": "m", "block": 0, "offset": 0, "delta": "hm"]),
    ("tool_call_delta", ["message_id": "m", "block": 1, "offset": 0, "delta": "{", "call_id": "c", "name": "echo"]),
    ("partial", ["message_id": "m", "blocks": [text]]),
    ("tool_progress", ["call_id": "c", "progress": 1, "total": 2, "message": "half"]),
    (
      "metrics",
      [
        "prompt_tokens": 1, "reused_tokens": 0, "generated_tokens": 2, "ttft_ms": 3.5, "tokens_per_second": 4.5,
        "context_used": 5, "context_max": 6, "finished": true, "stop_reason": "end", "estimated": false,
      ]
    ),
    ("retrying", ["attempt": 2, "after_ms": 500, "reason": "busy"]),
    ("subagent", ["session": "c", "record": ["type": "text"]]),
  ]

  private func document(_ type: String, _ fields: JSONValue, seq: Int?) -> JSONValue {
    var object: JSONObject = [:]
    if let seq { object["seq"] = .number(JSONNumber(seq)) }
    object["time"] = "2026-11-30T09:14:05.123Z"
    object["session"] = "s"
    object["run"] = "r"
    object["type"] = .string(type)
    for (key, value) in fields.objectValue ?? [:] { object[key] = value }
    return .object(object)
  }

  @Test(arguments: durable) func `a durable event is read and written to the letter`(type: String, fields: JSONValue)
    throws
  {
    let json = document(type, fields, seq: 7)
    let record = try EventRecord(json: json)
    #expect(record.event.isDurable)
    #expect(record.event.type == type)
    #expect(record.json == json)
    #expect(record.unknownFields.isEmpty)
  }

  @Test(arguments: ephemeral) func `an ephemeral event is read and written to the letter`(
    type: String, fields: JSONValue
  ) throws {
    let json = document(type, fields, seq: nil)
    let record = try EventRecord(json: json)
    #expect(!record.event.isDurable)
    #expect(record.json == json)
  }

  @Test func `the envelope comes first, in a fixed order`() throws {
    let record = EventRecord(
      seq: 1, time: Timestamp(milliseconds: 0), session: "s", run: "r", event: .iterationStarted(1))
    #expect(
      record.json.text()
        == #"{"seq":1,"time":"1970-01-01T00:00:00.000Z","session":"s","run":"r","type":"iteration_started","iteration":1}"#
    )
  }

  @Test func `unknown types and fields are kept`() throws {
    let later = document("telepathy", ["strength": 3], seq: 2)
    #expect(try EventRecord(json: later).json == later)
    let wider = document("warning", ["code": "w", "message": "m", "colour": "red"], seq: 3)
    #expect(try EventRecord(json: wider).json == wider)
  }

  @Test func `an unknown critical event makes the session read-only with a reason`() throws {
    var loop = AgentLoop()
    loop.apply(try EventRecord(json: document("telepathy", ["critical": true], seq: 1)))
    #expect(loop.readOnlyReason?.contains("telepathy") == true)
    #expect(loop.pendingEffects.isEmpty)
  }

  @Test func `a newer format makes the session read-only with a reason`() throws {
    var loop = AgentLoop()
    loop.apply(.sessionCreated(SessionCreated(format: 2)))
    #expect(loop.readOnlyReason?.contains("format 2") == true)
  }

  @Test(arguments: [
    ("tool_finished", "{}", "call_id"),
    ("prompt", #"{"message_id":"m","message":{"role":"robot","content":[]}}"#, "message.role"),
    ("iteration_started", #"{"iteration":"two"}"#, "iteration"),
  ])
  func `a record of the wrong form is an error that names the field`(type: String, fields: String, path: String) throws
  {
    let json = document(type, try JSONValue(parsing: fields), seq: 1)
    do {
      _ = try EventRecord(json: json)
      Issue.record("it was read")
    } catch let error as JSONFormError {
      #expect(error.path == path)
    }
  }

  @Test(arguments: [0, 1, 951_782_400_000, 1_764_494_045_123, -1, -62_135_596_800_000])
  func `times are RFC 3339 in UTC and read back`(milliseconds: Int64) {
    let time = Timestamp(milliseconds: milliseconds)
    #expect(Timestamp(time.description) == time)
  }

  @Test(arguments: [
    "", "2026-11-30", "2026-11-30T09:14:05", "2026-13-30T09:14:05Z", "2026-11-30T09:14:05.Z",
    "2026-11-30T09:14:05.1+01:00",
  ])
  func `a text that is no time in UTC is none`(text: String) {
    #expect(Timestamp(text) == nil)
  }
}
