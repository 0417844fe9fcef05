import MartletJSON
import Testing

@testable import MartletProviders

@Suite struct ChatChunkTests {
  private func chunk(_ text: String) throws -> ChatChunk { try ChatChunk(Array(text.utf8)[...]) }

  /// As the server of llama.cpp sends them.
  @Test func `timings beside the usage are passed over, and count where there is no usage`() throws {
    let timings = #""timings":{"prompt_n":5,"cache_n":2,"predicted_n":3,"prompt_ms":1.5}"#
    let both = try chunk(#"{"choices":[],"usage":{"total_tokens":8,"prompt_tokens":5},\#(timings),"object":"x"}"#)
    #expect(both.usage?["total_tokens"] == 8)
    let alone = try chunk(#"{"choices":[],\#(timings),"object":"x"}"#)
    #expect(alone.usage != nil)
  }
}
