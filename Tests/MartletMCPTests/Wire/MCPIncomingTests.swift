import MartletJSON
import MartletTesting
import Testing

@testable import MartletMCP

@Suite struct MCPIncomingTests {
  private func read(_ text: String) -> MCPIncoming { MCPIncoming(decoding: Array(text.utf8)) }

  @Test(arguments: [
    MCPMessage.request(1, method: "tools/list", params: nil),
    .request("a", method: "tools/call", params: ["name": "t", "arguments": ["x": 1], "unknown": [1, 2]]),
    .notification(method: "notifications/progress", params: ["progressToken": "p", "progress": 0.5]),
    .result(7, ["content": [["type": "text", "text": "line\nbreak"]], "futureField": nil]),
    .failure(-3, MCPErrorObject(.invalidParams, "no", data: ["uri": "x"])),
    .failure(nil, MCPErrorObject(.parseError, "what?")),
  ])
  func `a message survives the wire, in one line`(_ message: MCPMessage) {
    #expect(!message.bytes.contains(0x0A))
    #expect(MCPIncoming(decoding: message.bytes) == .message(message))
  }

  @Test func `an id keeps its type`() {
    #expect(read(#"{"jsonrpc":"2.0","id":1,"result":{}}"#) == .message(.result(1, [:])))
    #expect(read(#"{"jsonrpc":"2.0","id":"1","result":{}}"#) == .message(.result("1", [:])))
    #expect(read(#"{"jsonrpc":"2.0","id":1.0,"result":{}}"#) == .message(.result(1, [:])))
  }

  @Test(arguments: [
    (#"{"jsonrpc":"2.0","id":null,"method":"x"}"#, MCPErrorCode.invalidRequest, MCPFault.Role.request),
    (#"{"jsonrpc":"2.0","id":1.5,"method":"x"}"#, .invalidRequest, .request),
    (#"{"jsonrpc":"2.0","id":1,"method":3}"#, .invalidRequest, .request),
    (#"{"id":1,"method":"x"}"#, .invalidRequest, .request),
    (#"{"jsonrpc":"2.0","id":1,"method":"x","params":[1]}"#, .invalidParams, .request),
    (#"{"jsonrpc":"2.0","id":1,"result":3}"#, .invalidRequest, .reply),
    (#"{"jsonrpc":"2.0","result":{}}"#, .invalidRequest, .reply),
    (#"{"jsonrpc":"2.0","id":1}"#, .invalidRequest, .unknown),
    ("3", .invalidRequest, .unknown), ("[]", .invalidRequest, .unknown), ("{", .parseError, .unknown),
    ("", .parseError, .unknown), ("Starting server", .parseError, .unknown),
  ])
  func `what is no message says why`(_ text: String, _ code: MCPErrorCode, _ role: MCPFault.Role) {
    guard case .fault(let fault) = read(text) else {
      Issue.record("\(text) was taken for a message")
      return
    }
    #expect(fault.error.code == code)
    #expect(fault.role == role)
  }

  @Test func `elements of an array are read one by one, and arrays in it are not`() {
    guard case .batch(let elements) = read(#"[{"jsonrpc":"2.0","method":"a"},5,[{"jsonrpc":"2.0","method":"b"}]]"#)
    else {
      Issue.record("no batch")
      return
    }
    #expect(elements.count == 3)
    #expect(elements[0] == .message(.notification(method: "a", params: nil)))
    for element in elements.dropFirst() {
      guard case .fault = element else {
        Issue.record("\(element)")
        continue
      }
    }
  }

  @Test(arguments: 0..<20) func `mutated messages are read or refused and never crash`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let seeds: [[UInt8]] = [
      MCPMessage.request(1, method: "tools/call", params: ["name": "t", "arguments": ["a": [1, nil, "é"]]]).bytes,
      MCPMessage.failure("x", MCPErrorObject(.invalidParams, "no", data: [1])).bytes,
      Array(#"[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","method":"x"}]"#.utf8),
    ]
    for _ in 0..<500 {
      var bytes = random.pick(seeds)
      for _ in 0..<Int.random(in: 1...6, using: &random) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: place)
        default: bytes.insert(random.pick(Array("{}[]\",:0-\\".utf8)), at: place)
        }
      }
      // What is read as a message is one: it survives another trip.
      if case .message(let message) = MCPIncoming(decoding: bytes) {
        #expect(MCPIncoming(decoding: message.bytes) == .message(message), "seed \(seed)")
      }
    }
  }
}
