/// Events as model services stream them, and the types that a client would decode them to.
enum Samples {
  static let delta = #"""
    {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hello"}}
    """#

  static let chunk = #"""
    {"id":"chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT","object":"chat.completion.chunk","created":1741569952,\#
    "model":"gpt-4.1-2025-04-14","service_tier":"default","system_fingerprint":"fp_44709d6fcb","choices":[{"index":0,\#
    "delta":{"content":" Oslo"},"logprobs":null,"finish_reason":null}],"usage":null}
    """#

  struct Delta: Codable {
    struct Body: Codable {
      var type: String
      var text: String
    }
    var type: String
    var index: Int
    var delta: Body
  }

  struct Chunk: Codable {
    struct Choice: Codable {
      struct Body: Codable {
        var content: String?
      }
      enum CodingKeys: String, CodingKey {
        case index, delta
        case finishReason = "finish_reason"
      }
      var index: Int
      var delta: Body
      var finishReason: String?
    }
    var id: String
    var object: String
    var created: Int
    var model: String
    var choices: [Choice]
  }
}
