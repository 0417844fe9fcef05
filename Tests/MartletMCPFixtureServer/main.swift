// The server that the official conformance suite of MCP expects, as a program: see docs/mcp.md.
import Foundation
import MartletMCP
import MartletMCPFixtures

let usage = "usage: martlet-mcp-fixture [--port PORT] [--stateless] | --stdio\n"
var port: UInt16 = 3_000
var hasSessions = true
var isStdio = false
var arguments = CommandLine.arguments.dropFirst()
while let argument = arguments.popFirst() {
  switch argument {
  case "--stdio": isStdio = true
  case "--stateless": hasSessions = false
  case "--port":
    guard let number = arguments.popFirst().flatMap({ UInt16($0) }) else { fallthrough }
    port = number
  default:
    FileHandle.standardError.write(Data(usage.utf8))
    exit(2)
  }
}
let server = FixtureServer.make()
if isStdio {
  try await server.serve(StdioServerTransport())
  await server.close()
} else {
  #if os(Linux)
    try await FixtureHost.serve(server, port: port, hasSessions: hasSessions) { url in
      print(url)
      fflush(nil)
    }
  #else
    FileHandle.standardError.write(Data("HTTP is served on Linux only; use --stdio\n".utf8))
    exit(2)
  #endif
}
