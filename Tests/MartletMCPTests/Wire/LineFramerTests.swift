import MartletJSON
import Testing

@testable import MartletMCP

@Suite struct LineFramerTests {
  private func all(_ chunks: [[UInt8]], limit: Int = 1_000) -> [MCPIncoming] {
    MCPIncoming.all(in: chunks, limit: limit)
  }

  private static let text = Array(
    ("Starting…\n\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"a\"}\r\n{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n"
      + "{\"jsonrpc\":\"2.0\",\"id\":2,\"resu").utf8)

  @Test func `messages come out the same however the bytes are cut`() {
    let whole = all([Self.text])
    #expect(whole.count == 4)
    #expect(whole[1] == .message(.notification(method: "a", params: nil)))
    #expect(whole[2] == .message(.result(1, [:])))
    for cut in 0...Self.text.count {
      #expect(all([Array(Self.text[..<cut]), Array(Self.text[cut...])]) == whole, "cut at \(cut)")
    }
    #expect(all(Self.text.map { [$0] }) == whole)
  }

  @Test func `bytes that are no UTF-8 spoil one line only`() {
    let bytes = Array("{\"jsonrpc\":\"2.0\",\"method\":\"".utf8) + [0xFF, 0xFE] + Array("\"}\n".utf8) + Self.text
    #expect(all([bytes]).count == 5)
    #expect(all([bytes])[2] == .message(.notification(method: "a", params: nil)))
  }

  @Test(arguments: [1, 7, 10_000]) func `a line over the limit is passed over and known by its id`(_ size: Int) throws {
    let long = Array(
      (#"{"jsonrpc":"2.0","id":42,"result":{"text":""# + String(repeating: "x", count: 5_000) + "\"}}\n").utf8)
    let bytes = long + Self.text
    let chunks = stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
    let found = all(chunks, limit: 200)
    guard case .fault(let fault) = try #require(found.first) else {
      Issue.record("\(found)")
      return
    }
    #expect(fault.isTooLarge)
    #expect(fault.id == 42)
    #expect(fault.role == .reply)
    #expect(fault.size == long.count - 1)
    #expect(found.dropFirst() == all([Self.text])[...])
  }
}
