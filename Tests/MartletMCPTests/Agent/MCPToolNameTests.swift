import Martlet
import MartletTesting
import Testing

@testable import MartletMCP

@Suite struct MCPToolNameTests {
  @Test func `names that fit stay as they are, with the server's before them`() {
    #expect(MCPToolName.name(server: "time", tool: "get_current_time") == "time__get_current_time")
    #expect(MCPToolName.name(server: "a-b", tool: "_x") == "a-b___x")
  }

  @Test func `whatever servers and tools are called, names are allowed and never two the same`() throws {
    var generator = SeededGenerator(seed: 7)
    let letters = Array("ab_-./ äö€0")
    var seen: [String: [String]] = [:]
    for _ in 0..<20_000 {
      func word() -> String {
        let length = Int.random(in: 1...3, using: &generator) * (Bool.random(using: &generator) ? 1 : 16)
        return String((0..<length).map { _ in letters[Int.random(in: 0..<letters.count, using: &generator)] })
      }
      let (server, tool) = (word(), word())
      let name = MCPToolName.name(server: server, tool: tool)
      #expect((1...64).contains(name.utf8.count))
      #expect(
        name.utf8.allSatisfy {
          $0 < 0x80
            && (Character(UnicodeScalar($0)).isLetter || Character(UnicodeScalar($0)).isNumber || $0 == 0x5F
              || $0 == 0x2D)
        })
      #expect(name.hasPrefix(MCPToolName.prefix(server: server)), "\(server) \(tool) \(name)")
      if let other = seen[name] { #expect(other == [server, tool], "\(name), seed 7") }
      seen[name] = [server, tool]
    }
  }
}
