import MartletHTTP
import MartletHTTPServer
import MartletJSON
import MartletMCP

#if canImport(Glibc)
  import Glibc
#endif

/// The server that is measured, in a process of its own.
enum BenchServer {
  /// Serves over standard streams, or over HTTP until standard input ends; then it first prints its address.
  static func run(overHTTP: Bool) async throws {
    let server = make()
    guard overHTTP else { return try await server.serve(StdioServerTransport()) }
    let handler = MCPHTTPHandler(server)
    let routes = [HTTPRequest.Method.post, .get, .delete].map { method in
      HTTPRoute(method, "/mcp") { await handler.respond(to: $0.method, headers: $0.headers, body: $0.body) }
    }
    let network = try HTTPServer(routes: routes)
    print(network.url + "/mcp")
    fflush(nil)
    while readLine() != nil {}
    await handler.close()
    await network.stop(grace: .zero)
  }

  private static func make() -> MCPServer {
    let server = MCPServer(MCPImplementation(name: "bench", version: "1"))
    let integer: JSONValue = ["type": "integer"]
    server.register(
      MCPTool(
        name: "add", description: "Adds two numbers.",
        inputSchema: [
          "type": "object", "properties": ["a": integer, "b": integer], "required": ["a", "b"],
        ],
        outputSchema: ["type": "object", "properties": ["result": integer], "required": ["result"]])
    ) { arguments, _ in
      .structured(["result": JSONValue((arguments["a"]?.intValue ?? 0) + (arguments["b"]?.intValue ?? 0))])
    }
    server.register(MCPTool(name: "text", description: "Gives a text of so many bytes.")) { arguments, _ in
      "\(String(repeating: "0123456789abcde\n", count: (arguments["bytes"]?.intValue ?? 0) / 16))"
    }
    return server
  }
}
