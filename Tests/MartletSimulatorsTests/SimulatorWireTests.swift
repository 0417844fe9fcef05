import Martlet
import MartletHTTP
import MartletJSON
import MartletSimulators
import Testing

/// What comes out of each simulator, joined by the rules of the provider's documentation and by no code of ours.
@Suite struct SimulatorWireTests {
  static let reply = SimulatedReply(
    [
      .thinking("Hm, ö"), .text("Let me 🐦"), .call(SimulatedCall("add", ["a": 1, "text": "x\"y"])),
      .call(SimulatedCall("now")),
    ], usage: Usage(input: 70, cachedInput: 20, output: 12, reasoning: 4), pieceSize: 1)

  /// What a client should have in hand in the end.
  struct Joined: Equatable {
    var thinking = ""
    var text = ""
    var calls: [String: String] = [:]  // name → arguments
    var stop = ""
    var input = 0
    var output = 0
  }

  static let expected = Joined(
    thinking: "Hm, ö", text: "Let me 🐦", calls: ["add": #"{"a":1,"text":"x\"y"}"#, "now": "{}"], input: 70, output: 12)

  @Test func `Anthropic`() async throws {
    let answer = try await Raw(.anthropic, SimulatorScript([Self.reply])).send()
    #expect(answer.headers["request-id"]?.hasPrefix("req_") == true)
    #expect(answer.text.hasPrefix("event: message_start\ndata: {"))
    var joined = Joined()
    var names: [Int: String] = [:]
    for event in answer.documents {
      let index = event["index"]?.intValue ?? 0
      switch event["type"]?.stringValue {
      case "message_start":
        let usage = event["message"]?["usage"]
        joined.input = (usage?["input_tokens"]?.intValue ?? 0) + (usage?["cache_read_input_tokens"]?.intValue ?? 0)
      case "content_block_start":
        if let name = event["content_block"]?["name"]?.stringValue {
          names[index] = name
          joined.calls[name] = ""
        }
      case "content_block_delta":
        joined.text += event["delta"]?["text"]?.stringValue ?? ""
        joined.thinking += event["delta"]?["thinking"]?.stringValue ?? ""
        if let name = names[index] { joined.calls[name]? += event["delta"]?["partial_json"]?.stringValue ?? "" }
      case "message_delta":
        joined.stop = event["delta"]?["stop_reason"]?.stringValue ?? ""
        joined.output = event["usage"]?["output_tokens"]?.intValue ?? 0
      default: break
      }
    }
    #expect(answer.documents.last?["type"] == "message_stop")
    #expect(joined.stop == "tool_use")
    joined.stop = ""
    // A call without arguments comes with nothing but an empty piece.
    #expect(joined.calls["now"] == "")
    joined.calls["now"] = "{}"
    #expect(joined == Self.expected)
  }

  @Test func `Chat Completions`() async throws {
    let answer = try await Raw(.openAI, SimulatorScript([Self.reply])).send()
    #expect(answer.text.hasSuffix("data: [DONE]\n\n"))
    var joined = Joined()
    var names: [Int: String] = [:]
    for chunk in answer.documents {
      if let usage = chunk["usage"], !usage.isNull {
        #expect(chunk["choices"] == [])
        joined.input = usage["prompt_tokens"]?.intValue ?? 0
        joined.output = usage["completion_tokens"]?.intValue ?? 0
      }
      let choice = chunk["choices"]?[0]
      if let finish = choice?["finish_reason"]?.stringValue { joined.stop = finish }
      joined.text += choice?["delta"]?["content"]?.stringValue ?? ""
      joined.thinking += choice?["delta"]?["reasoning_content"]?.stringValue ?? ""
      for call in choice?["delta"]?["tool_calls"]?.arrayValue ?? [] {
        let index = call["index"]?.intValue ?? -1
        if let name = call["function"]?["name"]?.stringValue {
          names[index] = name
          joined.calls[name] = ""
          #expect(call["id"]?.stringValue?.hasPrefix("call_") == true)
        }
        if let name = names[index] { joined.calls[name]? += call["function"]?["arguments"]?.stringValue ?? "" }
      }
    }
    #expect(joined.stop == "tool_calls")
    joined.stop = ""
    #expect(joined == Self.expected)
    let without = try await Raw(.openAI, SimulatorScript([Self.reply])).send { $0["stream_options"] = [:] }
    #expect(!without.text.contains("usage"))
  }

  @Test func `Responses`() async throws {
    let answer = try await Raw(.openAIResponses, SimulatorScript([Self.reply])).send {
      $0["include"] = ["reasoning.encrypted_content"]
    }
    #expect(answer.documents.map { $0["sequence_number"]?.intValue } == Array(0..<answer.documents.count))
    var joined = Joined()
    var names: [Int: String] = [:]
    for event in answer.documents {
      let index = event["output_index"]?.intValue ?? 0
      switch event["type"]?.stringValue {
      case "response.output_item.added":
        if let name = event["item"]?["name"]?.stringValue {
          names[index] = name
          joined.calls[name] = ""
        }
      case "response.output_text.delta": joined.text += event["delta"]?.stringValue ?? ""
      case "response.reasoning_summary_text.delta": joined.thinking += event["delta"]?.stringValue ?? ""
      case "response.function_call_arguments.delta":
        if let name = names[index] { joined.calls[name]? += event["delta"]?.stringValue ?? "" }
      default: break
      }
    }
    let last = try #require(answer.documents.last)
    #expect(last["type"] == "response.completed")
    joined.input = last["response"]?["usage"]?["input_tokens"]?.intValue ?? 0
    joined.output = last["response"]?["usage"]?["output_tokens"]?.intValue ?? 0
    #expect(joined == Self.expected)
    let items = answer.documents.filter { $0["type"] == "response.output_item.done" }.compactMap { $0["item"] }
    #expect(last["response"]?["output"]?.arrayValue == items)
    #expect(items.map { $0["type"]?.stringValue } == ["reasoning", "message", "function_call", "function_call"])
    #expect(items[0]["encrypted_content"]?.stringValue?.isEmpty == false)
    let cut = try await Raw(.openAIResponses, SimulatorScript([SimulatedReply([.text("x")], stop: .maxTokens)])).send()
    #expect(cut.documents.last?["type"] == "response.incomplete")
    #expect(cut.documents.last?["response"]?["incomplete_details"] == ["reason": "max_output_tokens"])
  }

  @Test func `Gemini`() async throws {
    let answer = try await Raw(.gemini, SimulatorScript([Self.reply])).send()
    #expect(answer.text.contains("\r\n\r\ndata: "))
    var joined = Joined()
    var signatures = 0
    for chunk in answer.documents {
      let candidate = chunk["candidates"]?[0]
      for part in candidate?["content"]?["parts"]?.arrayValue ?? [] {
        if part["thought"] == true {
          joined.thinking += part["text"]?.stringValue ?? ""
        } else {
          joined.text += part["text"]?.stringValue ?? ""
        }
        if let call = part["functionCall"] {
          #expect(call["id"] == nil)
          joined.calls[call["name"]?.stringValue ?? ""] = call["args"]?.text() ?? "{}"
          if part["thoughtSignature"] != nil { signatures += 1 }
        }
      }
      if let finish = candidate?["finishReason"]?.stringValue { joined.stop = finish }
      let usage = chunk["usageMetadata"]
      joined.input = usage?["promptTokenCount"]?.intValue ?? 0
      joined.output = (usage?["candidatesTokenCount"]?.intValue ?? 0) + (usage?["thoughtsTokenCount"]?.intValue ?? 0)
    }
    #expect(joined.stop == "STOP")
    joined.stop = ""
    #expect(joined == Self.expected)
    #expect(signatures == 1)
  }

  @Test func `Ollama`() async throws {
    let answer = try await Raw(.ollama, SimulatorScript([Self.reply])).send()
    #expect(answer.headers["content-type"] == "application/x-ndjson")
    var joined = Joined()
    for line in answer.documents {
      joined.text += line["message"]?["content"]?.stringValue ?? ""
      joined.thinking += line["message"]?["thinking"]?.stringValue ?? ""
      for call in line["message"]?["tool_calls"]?.arrayValue ?? [] {
        joined.calls[call["function"]?["name"]?.stringValue ?? ""] = call["function"]?["arguments"]?.text()
      }
      joined.input = line["prompt_eval_count"]?.intValue ?? 0
      joined.output = line["eval_count"]?.intValue ?? 0
    }
    #expect(answer.documents.last?["done"] == true)
    #expect(answer.documents.dropLast().allSatisfy { $0["done"] == false })
    #expect(joined == Self.expected)
  }

  @Test(arguments: ProviderSimulator.Provider.allCases)
  func `without streaming the reply is one document, and without a script it says back what it was told`(
    _ provider: ProviderSimulator.Provider
  ) async throws {
    let raw = Raw(provider)
    let answer =
      provider == .gemini
      ? try await raw.send(.post, "/v1beta/models/gemini-3-pro:generateContent")
      : try await raw.send { $0["stream"] = false }
    #expect(answer.status == 200)
    #expect(answer.headers["content-type"] == "application/json")
    #expect(answer.documents.count == 1)
    #expect(answer.text.contains("You said: Hello"))
  }
}
