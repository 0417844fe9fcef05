import MartletJSON
import Testing

@testable import MartletMCP

@Suite struct MCPServerListTests {
  private static let variables = MCPVariables(
    environment: ["HOME": "/home/ada", "KEY": "k3y", "EMPTY": ""], directory: "/work")

  private func list(_ text: String) throws -> MCPServerList {
    MCPServerList(
      try #require(MCPServerList.entries(of: try JSONValue(parsing: text))), variables: Self.variables)
  }

  @Test(arguments: [
    #"{"mcpServers": {"t": {"command": "uvx", "args": ["mcp-server-time", 1], "env": {"K": "${KEY}"}}}}"#,
    #"{"servers": {"t": {"type": "stdio", "command": "uvx", "args": ["mcp-server-time", "1"], "env": {"K": "${env:KEY}"}}}}"#,
    #"{"mcp": {"servers": {"t": {"command": "uvx", "args": ["mcp-server-time", "1"], "env": {"K": "k3y"}, "gone": 1}}}}"#,
  ])
  func `the shapes of Claude Desktop, Cursor and VS Code are read`(_ text: String) throws {
    let list = try list(text)
    #expect(list.problems.isEmpty)
    #expect(
      list.servers == [
        MCPServerEntry(
          name: "t",
          place: .program(
            command: "uvx", arguments: ["mcp-server-time", "1"], environment: ["K": "k3y"], directory: nil))
      ])
  }

  @Test func `servers at a URL have headers and perhaps a client of their own`() throws {
    let list = try list(
      #"""
      {"mcpServers": {
        "a": {"url": "https://x.example/mcp", "headers": {"X-Key": "${KEY}"}},
        "b": {"type": "sse", "url": "http://localhost:${PORT:-8080}/sse", "disabled": true},
        "c": {"httpUrl": "https://c.example", "trust": true, "oauth": {"clientId": "me", "scopes": ["s"]}},
        "d": {"type": "http", "serverUrl": "https://d.example", "enabled": false}}}
      """#)
    #expect(list.problems.isEmpty, "\(list.problems)")
    #expect(list.servers.map(\.name) == ["a", "b", "c", "d"])
    #expect(list.servers[0].place == .remote(url: "https://x.example/mcp", headers: ["X-Key": "k3y"]))
    #expect(list.servers.map(\.isDisabled) == [false, true, false, true])
    #expect(list.servers.map(\.isTrusted) == [false, false, true, false])
    #expect(list.servers[2].clientID == "me" && list.servers[2].scopes == ["s"])
    #expect(!"\(list.servers[0])".contains("k3y"))
    #expect(!String(reflecting: list.servers[0]).contains("k3y"))
  }

  @Test(arguments: [
    ("${KEY}", "k3y"), ("a${KEY}b${KEY}", "ak3ybk3y"), ("${NONE:-x}", "x"), ("${EMPTY:-x}", "x"), ("${EMPTY}", ""),
    ("${workspaceFolder}/x", "/work/x"), ("${userHome}", "/home/ada"), ("$KEY", "$KEY"), ("${KEY", "${KEY"),
    ("${NONE:-}", ""),
  ])
  func `variables are filled in`(_ text: String, _ expected: String) throws {
    #expect(try Self.variables.expand(text) == expected)
  }

  @Test(arguments: [
    (#"{}"#, "command or a url"), (#"{"command": "x", "args": "y"}"#, "args must be a list"),
    (#"{"command": ""}"#, "command is empty"), (#"{"command": 1}"#, "command must be a text"), ("3", "object"),
    (#"{"type": "http", "command": "x"}"#, "needs a url"), (#"{"url": "ftp://x"}"#, "https://"),
    (#"{"type": "carrier pigeon", "url": "http://x"}"#, "no type"),
    (#"{"command": "x", "env": {"A": "${NONE}"}}"#, "NONE that it needs is not set"),
    (#"{"command": "x", "args": ["${input:key}"]}"#, "inputs are not asked for"),
    (#"{"command": "x", "disabled": "no"}"#, "disabled must be true or false"),
  ])
  func `an entry that cannot be used says why and leaves the others alone`(_ entry: String, _ says: String) throws {
    let list = try list(#"{"mcpServers": {"bad": \#(entry), "good": {"command": "x"}}}"#)
    #expect(list.servers.map(\.name) == ["good"])
    #expect(list.problems.map(\.name) == ["bad"])
    #expect(list.problems.first?.reason.contains(says) == true, "\(list.problems)")
  }

  @Test func `a server that is switched off needs no variables`() throws {
    let list = try list(#"{"mcpServers": {"a": {"command": "x", "args": ["${NONE}"], "disabled": true}}}"#)
    #expect(list.problems.isEmpty)
    #expect(list.servers.first?.isDisabled == true)
  }

  @Test func `a stronger layer replaces a server whole`() throws {
    let weak = try list(#"{"mcpServers": {"a": {"command": "x", "env": {"K": "v"}}, "b": {"command": "y"}}}"#)
    let strong = try list(#"{"mcpServers": {"a": {"command": "z"}, "b": {}}}"#)
    let merged = weak.merged(with: strong)
    #expect(
      merged.servers == [
        MCPServerEntry(name: "a", place: .program(command: "z", arguments: [], environment: [:], directory: nil))
      ])
    #expect(merged.problems.map(\.name) == ["b"])
  }
}
