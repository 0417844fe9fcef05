import Foundation
import Martlet
import Testing

@testable import MartletLocal

/// On the real small model: what one engine kept serves another.
@Suite(.enabled(if: TestModels.small != nil, TestModels.missing), .serialized)
struct KeptPromptTests {
  let directory: TemporaryDirectory
  let options: EngineOptions

  init() throws {
    directory = try TemporaryDirectory()
    options = EngineOptions(
      contextLength: 1024, promptCache: PromptCacheOptions(directory: directory.path + "/prompts"))
  }

  private func engine(_ options: EngineOptions? = nil) async throws -> Engine {
    try await Engine.open(try #require(TestModels.small), options: options ?? self.options)
  }

  private var files: Int {
    ((try? FileManager.default.contentsOfDirectory(atPath: directory.path + "/prompts")) ?? []).count
  }

  @Test func `a beginning that another engine read needs not be read, and what follows is the same`() async throws {
    let text = "<|im_start|>system\nYou answer in one word.<|im_end|>\n<|im_start|>user\nName a colour of the sky."
    let first = try await engine()
    let prompt = first.model.tokens(in: text, markup: true)
    let expected = try await first.withContext { context in
      try context.read(prompt)
      context.keep(prompt, lengths: [4, 12])
      return try context.withLogits { Array($0) }
    }
    #expect(files == 2)
    let second = try await engine()
    try await second.withContext { context in
      context.recall(prompt, lengths: [4, 12])
      #expect(context.tokens == Array(prompt[..<12]))
      #expect(try context.read(prompt) == 12)
      let logits = try context.withLogits { Array($0) }
      #expect(zip(logits, expected).allSatisfy { abs($0 - $1) < 0.05 })
      // What is here is not taken from the files again.
      context.recall(prompt, lengths: [4, 12])
      #expect(context.tokens == prompt)
    }
  }

  @Test func `a shorter beginning serves where the longer one differs`() async throws {
    let first = try await engine()
    let prompt = first.model.tokens(in: "One two three four five six seven eight nine ten")
    try await first.withContext { context in
      try context.read(prompt)
      context.keep(prompt, lengths: [3, 8])
    }
    let second = try await engine()
    let other = Array(prompt[..<5]) + first.model.tokens(in: " and something else")
    try await second.withContext { context in
      context.recall(other, lengths: [3, 8])
      #expect(context.tokens == Array(prompt[..<3]))
      let taken = try context.read(other)
      #expect(taken == 3)
    }
  }

  @Test func `a state that the engine does not take leaves an empty cache`() async throws {
    let engine = try await engine()
    let prompt = engine.model.tokens(in: "One two three four five six seven eight nine ten")
    try await engine.withContext { context in
      try context.read(prompt)
      var state = try #require(context.state(ofFirst: 6))
      #expect(context.tokens == prompt)
      #expect(!context.load(Array(state.prefix(state.count / 2)), of: Array(prompt[..<6])))
      #expect(context.tokens.isEmpty)
      #expect(!context.load(state, of: Array(prompt[..<5])))  // another number of tokens
      for index in 0..<min(64, state.count) { state[index] = 0xEE }
      #expect(!context.load(state, of: Array(prompt[..<6])))
      #expect(try context.read(prompt) == 0)
    }
  }

  @Test func `with kept prompts a model answers as it does without`() async throws {
    let requests = [
      ModelRequest(
        tools: LocalModelTests.tools, messages: [.user("What is the weather in Oslo for 3 days?")],
        options: ModelOptions(maxOutputTokens: 24)),
      ModelRequest(messages: [.user("Say something in Greek.")], options: ModelOptions(maxOutputTokens: 12)),
    ]
    func replies(_ options: EngineOptions) async throws -> [[String]] {
      let model = try await LocalModel.open(try #require(TestModels.small), options: options)
      var replies: [[String]] = []
      for request in requests {
        var reply: [String] = []
        for try await event in model.stream(request) {
          guard case .block(let block, _) = event else { continue }
          switch block.kind {
          case .text(let text): reply.append(text)
          case .toolCall(let call): reply.append("\(call.name) \(call.arguments)")
          default: break
          }
        }
        replies.append(reply)
      }
      return replies
    }
    let without = try await replies(EngineOptions(contextLength: 1024))
    #expect(try await replies(options) == without)
    let kept = files
    #expect(kept >= 2)
    #expect(try await replies(options) == without)
    #expect(files == kept)
  }
}
