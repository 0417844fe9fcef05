// The client that the official conformance suite of MCP starts for each scenario: see docs/mcp.md.
import Foundation
import MartletMCPFixtures

do {
  let client = try FixtureClient(
    environment: ProcessInfo.processInfo.environment, arguments: Array(CommandLine.arguments.dropFirst()))
  try await client.run()
} catch {
  FileHandle.standardError.write(Data("martlet-mcp-fixture-client: \(error)\n".utf8))
  exit(1)
}
