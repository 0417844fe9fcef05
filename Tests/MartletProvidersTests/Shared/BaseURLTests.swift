import Martlet
import MartletHTTP
import Testing

@testable import MartletProviders

/// Users write base addresses in every way; each leads to the one place.
@Suite struct BaseURLTests {
  private let request = ModelRequest(messages: [.user("Hi")])
  private let transport = ReplayTransport([])

  @Test(arguments: ["", "/", "/v1", "/v1/"]) func `with or without the path of the API`(_ end: String) {
    let base = "http://127.0.0.1:1\(end)"
    #expect(
      Anthropic(key: nil, configuration: .init(baseURL: base), transport: transport).httpRequest(for: request).url
        == "http://127.0.0.1:1/v1/messages")
    #expect(
      OpenAIResponses("m", key: nil, configuration: .init(baseURL: base), transport: transport).httpRequest(
        for: request
      )
      .url == "http://127.0.0.1:1/v1/responses")
    #expect(
      OpenAIChat("m", key: nil, configuration: .init(baseURL: base), transport: transport).httpRequest(for: request).url
        == "http://127.0.0.1:1/v1/chat/completions")
    let path = end.hasPrefix("/v1") ? "/v1" : "/v1beta"
    #expect(
      Gemini("m", key: nil, configuration: .init(baseURL: base), transport: transport).httpRequest(for: request).url
        == "http://127.0.0.1:1\(path)/models/m:streamGenerateContent?alt=sse")
  }

  @Test(arguments: ["", "/", "/api", "/api/"]) func `Ollama's too`(_ end: String) {
    let model = Ollama("m", configuration: .init(baseURL: "http://127.0.0.1:1\(end)"), transport: transport)
    #expect(model.httpRequest(for: request).url == "http://127.0.0.1:1/api/chat")
  }

  @Test func `a query stays at the end`() {
    let base = "https://x.example/openai?api-version=1"
    #expect(
      OpenAIResponses("m", key: nil, configuration: .init(baseURL: base), transport: transport).httpRequest(
        for: request
      )
      .url == "https://x.example/openai/responses?api-version=1")
    #expect(
      Gemini("m", key: nil, configuration: .init(baseURL: "https://x.example/g?a=1"), transport: transport).httpRequest(
        for: request
      ).url == "https://x.example/g/models/m:streamGenerateContent?alt=sse&a=1")
  }
}
