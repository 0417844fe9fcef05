import Martlet
import MartletHTTP
import MartletJSON
import MartletTesting
import Testing

@testable import MartletProviders

/// What all clients make of failures, their provider's own and those of whatever stands in front of it.
@Suite struct ProviderErrorTests {
  struct Client: Sendable, CustomTestStringConvertible {
    var name: String
    var isLines = false
    var make: @Sendable (ReplayTransport) -> any LanguageModel
    var testDescription: String { name }

    static let all = [
      Self(name: "anthropic") { Anthropic(key: nil, transport: $0) },
      Self(name: "openai") { OpenAIResponses("gpt-5.5", key: nil, transport: $0) },
      Self(name: "openai-chat") { OpenAIChat("gpt-5.5", key: nil, transport: $0) },
      Self(name: "gemini") { Gemini("gemini-3-flash", key: nil, transport: $0) },
      Self(name: "ollama", isLines: true) { Ollama("qwen3", transport: $0) },
    ]
    static let ofEvents = all.filter { !$0.isLines }
  }

  @Test(
    arguments: Client.all,
    [
      #"{"error":"it broke"}"#, #"{"error":{"message":"it broke"}}"#, #"{"message":"it broke"}"#,
      #"{"detail":"it broke"}"#, #"[{"error":{"message":"it broke","code":500}}]"#,
      #"{"error":{"message":{"detail":"it broke"}}}"#, #"{"Message":"it broke"}"#,
    ])
  func `what an error says is found in every form, with any status`(_ client: Client, _ body: String) async {
    let error = await failure(
      body, status: 500, headers: ["content-type": "application/json"], model: client.make)
    #expect(error?.code == .serverError)
    #expect(error?.isRetryable == true)
    #expect(error?.message.contains("it broke") == true, "\(error?.message ?? "-")")
    let accepted = await failure(body, headers: ["content-type": "application/json"], model: client.make)
    #expect(accepted?.message.contains("it broke") == true, "\(accepted?.message ?? "-")")
  }

  @Test(
    arguments: Client.ofEvents,
    ["upstream went away", #"{"message":"upstream went away"}"#, #"{"error":"upstream went away"}"#, ""])
  func `an event named error is one whatever it holds`(_ client: Client, _ data: String) async {
    let error = await failure("event: error\ndata: \(data)\n\n", model: client.make)
    #expect(error?.code == (data.isEmpty && client.name == "openai-chat" ? .truncatedStream : .serverError), "\(data)")
    if !data.isEmpty { #expect(error?.message.contains("upstream went away") == true, "\(error?.message ?? "-")") }
  }

  @Test(arguments: [
    (
      "anthropic", 429,
      #"{"type":"error","error":{"type":"rate_limit_error","message":"m","details":{"error_code":"enforced_spend_limit_reached"}}}"#
    ),
    (
      "anthropic", 400,
      #"{"type":"error","error":{"type":"invalid_request_error","message":"You have reached your specified API usage limits. You will regain access on 2026-12-01"}}"#
    ),
    ("anthropic", 402, #"{"type":"error","error":{"type":"billing_error","message":"m"}}"#),
    (
      "openai", 429,
      #"{"error":{"message":"m","type":"insufficient_quota","code":"organization_spend_limit_exceeded"}}"#
    ),
    ("openai", 429, #"{"error":{"message":"m","type":"insufficient_quota","code":"credit_balance_exhausted"}}"#),
    (
      "openai-chat", 429,
      #"{"error":{"message":"m","type":"insufficient_quota","code":"project_spend_limit_exceeded"}}"#
    ),
    ("openai-chat", 429, #"{"error":{"message":"m","type":"requests","code":"organization_usage_limit_exceeded"}}"#),
    (
      "gemini", 429,
      #"{"error":{"code":429,"message":"m","status":"RESOURCE_EXHAUSTED","details":[{"violations":[{"quotaId":"RequestsPerDay"}]}]}}"#
    ),
  ])
  func `what is used up is not asked for again`(_ name: String, _ status: Int, _ body: String) async throws {
    let client = try #require(Client.all.first { $0.name == name })
    let error = await failure(
      body, status: status, headers: ["content-type": "application/json", "retry-after": "1"], model: client.make)
    #expect(error?.code == .quotaExceeded)
    #expect(error?.isRetryable == false)
  }

  @Test(arguments: Client.all) func `a delay that has passed is none`(_ client: Client) async {
    for value in ["0", "-1", "Sun, 29 Nov 2026 00:00:00 GMT"] {
      let error = await failure(
        #"{"error":{"message":"m"}}"#, status: 429,
        headers: ["content-type": "application/json", "retry-after": value],
        model: client.make)
      #expect(error?.isRetryable == true)
      #expect(error?.retryAfter == nil, "\(value)")
    }
    // By the server's own clock.
    let error = await failure(
      #"{"error":{"message":"m"}}"#, status: 429,
      headers: [
        "content-type": "application/json", "date": "Sun, 29 Nov 1998 00:00:00 GMT",
        "retry-after": "Sun, 29 Nov 1998 00:00:07 GMT",
      ], model: client.make)
    #expect(error?.retryAfter == .seconds(7))
  }

  @Test(arguments: Client.all, [301, 302, 303, 307, 308])
  func `a redirect is an error that says so and is not followed`(_ client: Client, _ status: Int) async {
    let error = await failure(
      "", status: status, headers: ["location": "https://elsewhere.example/"], model: client.make)
    #expect(error?.code == .invalidResponse)
    #expect(error?.isRetryable == false)
    #expect(error?.message.contains("status \(status)") == true)
  }
}
