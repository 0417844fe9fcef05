import MartletHTTP
import MartletJSON
import MartletSync
import MartletTesting

@testable import MartletMCP

/// Scenarios whose server remembers what it said.
extension ClientScenarios {
  /// A stream that ends before the answer, and says when to come back.
  static func retry() -> ClientScenario {
    let delay = Duration.milliseconds(60)
    let (closed, returned) = (Locked<ContinuousClock.Instant?>(nil), Locked<ContinuousClock.Instant?>(nil))
    let asked = Locked<MCPMessage?>(nil)
    return ClientScenario(
      answer: { exchange in
        if exchange.message?.method == "tools/call" {
          asked.withLock { $0 = exchange.message }
          closed.withLock { $0 = .now }
          return ScriptedHTTP.events(["id: event-1\nretry: 60\ndata: \n\n"])
        }
        guard exchange.request.method == .get, exchange.header("Last-Event-ID") != nil else {
          return HTTPResponse(status: 405)
        }
        returned.withLock { $0 = $0 ?? .now }
        let result = ScriptedHTTP.result(
          asked.withLock { $0 }, ["content": [["type": "text", "text": "Taken up again"]]])
        return ScriptedHTTP.events([String(decoding: EventText.event(result, id: "event-2"), as: UTF8.self)])
      },
      judge: { sent, error, verdicts in
        let resumed = sent.filter { $0.request.method == .get && $0.header("Last-Event-ID") != nil }
        verdicts.check("outgoing-sse-event", !sent.of("tools/call").isEmpty, "\(String(describing: error))")
        verdicts.check("outgoing-stream-close", closed.withLock { $0 } != nil)
        verdicts.check(
          "client-sse-graceful-reconnect", error == nil && !resumed.isEmpty && sent.of("tools/call").count == 1,
          "\(String(describing: error))")
        verdicts.check("client-sse-last-event-id", resumed.first?.header("Last-Event-ID") == "event-1")
        if let from = closed.withLock({ $0 }), let to = returned.withLock({ $0 }) {
          // How late it may be depends on the machine; too early is wrong on any.
          verdicts.check("client-sse-retry-timing", to - from >= delay, "\(to - from)")
        }
      })
  }

  /// A question within a call, on the call's own stream.
  static func elicitationDefaults() -> ClientScenario {
    let answer = Promise<JSONObject>()
    let given = Locked<JSONObject?>(nil)
    let schema: JSONValue = [
      "type": "object",
      "properties": [
        "name": ["type": "string", "default": "John Doe"], "age": ["type": "integer", "default": 30],
        "score": ["type": "number", "default": 95.5],
        "status": ["type": "string", "enum": ["active", "inactive"], "default": "active"],
        "verified": ["type": "boolean", "default": true],
      ], "required": [],
    ]
    return ClientScenario(
      answer: { exchange in
        switch exchange.message {
        case .result("ask-1", let result):
          given.withLock { $0 = result }
          answer.keep(result)
          return HTTPResponse(status: 202)
        case .failure:
          answer.keep([:])
          return HTTPResponse(status: 202)
        default: break
        }
        switch exchange.message?.method {
        case "tools/list": return exchange.tools([ClientScenario.tool("test_client_elicitation_defaults")])
        case "tools/call":
          let question = MCPMessage.request(
            "ask-1", method: "elicitation/create",
            params: ["mode": "form", "message": "Please check", "requestedSchema": schema])
          let result = ScriptedHTTP.result(exchange.message, ["content": [["type": "text", "text": "done"]]])
          return HTTPResponse(
            status: 200, headers: ["content-type": "text/event-stream"],
            body: HTTPBody(WaitingBody(EventText.event(question), then: EventText.event(result), after: answer)))
        default: return HTTPResponse(status: 405)
        }
      },
      judge: { _, error, verdicts in
        let result = given.withLock { $0 }
        let content = result?["content"]
        let expected: [(String, String, JSONValue)] = [
          ("string", "name", "John Doe"), ("integer", "age", 30), ("number", "score", 95.5),
          ("enum", "status", "active"), ("boolean", "verified", true),
        ]
        for (kind, name, value) in expected {
          verdicts.check(
            "client-elicitation-sep1034-\(kind)-default",
            error == nil && result?["action"] == "accept" && content?[name] == value,
            "\(String(describing: result)) \(String(describing: error))")
        }
      })
  }

  /// Calls that are made again with what they ask for.
  static func requestState() -> ClientScenario {
    // Another JSON text of the same value would be wrong.
    let state = #"{ "nonce" : "a\/b", "id":1 }"#
    let question: JSONValue = [
      "confirm": [
        "method": "elicitation/create",
        "params": [
          "mode": "form", "message": "Please confirm",
          "requestedSchema": ["type": "object", "properties": ["confirmed": ["type": "boolean"]]],
        ],
      ]
    ]
    let names = ["test_mrtr_echo_state", "test_mrtr_no_state", "test_mrtr_unrelated", "test_mrtr_no_result_type"]
    return ClientScenario(
      answer: { exchange in
        if exchange.message?.method == "tools/list" { return exchange.tools(names.map { ClientScenario.tool($0) }) }
        let isRetry = exchange.params["inputResponses"] != nil
        switch exchange.tool {
        case "test_mrtr_echo_state" where !isRetry:
          return exchange.result([
            "resultType": "input_required", "inputRequests": question, "requestState": .string(state),
          ])
        case "test_mrtr_no_state" where !isRetry:
          return exchange.result(["resultType": "input_required", "inputRequests": question])
        case "test_mrtr_no_result_type":
          return ScriptedHTTP.json(
            ScriptedHTTP.result(exchange.message, ["content": [["type": "text", "text": "plain"]]]))
        default: return exchange.text("done")
        }
      },
      judge: { sent, error, verdicts in
        let echo = sent.calls("test_mrtr_echo_state")
        let confirmed = echo.last?.params["inputResponses"]?["confirm"]
        verdicts.check(
          "sep-2322-client-request-state-echoed",
          echo.count == 2 && echo[1].params["requestState"]?.stringValue == state
            && confirmed?["action"] == "accept" && confirmed?["content"]?["confirmed"] == true,
          "\(String(describing: error))")
        verdicts.check(
          "sep-2322-client-jsonrpc-id-different", echo.count == 2 && echo[0].message?.id != echo[1].message?.id)
        let unrelated = sent.calls("test_mrtr_unrelated")
        verdicts.check(
          "sep-2322-client-parallel-isolation",
          unrelated.count == 1 && unrelated[0].params["inputResponses"] == nil
            && unrelated[0].params["requestState"] == nil)
        let bare = sent.calls("test_mrtr_no_state")
        verdicts.check(
          "sep-2322-client-no-state-omitted", bare.count == 2 && bare[1].params["requestState"] == nil)
        verdicts.check(
          "sep-2322-default-result-type-complete",
          error == nil && sent.calls("test_mrtr_no_result_type").count == 1, "\(String(describing: error))")
      })
  }
}

/// A stream whose end waits for something.
private final class WaitingBody: HTTPBodySource {
  private let first: [UInt8]
  private let last: [UInt8]
  private let promise: Promise<JSONObject>
  private let count = Locked(0)

  init(_ first: [UInt8], then last: [UInt8], after promise: Promise<JSONObject>) {
    self.first = first
    self.last = last
    self.promise = promise
  }

  func next() async throws -> [UInt8]? {
    switch count.withLock({
      $0 += 1; return $0
    }) {
    case 1: return first
    case 2:
      _ = await promise.value
      return last
    default: return nil
    }
  }
}
