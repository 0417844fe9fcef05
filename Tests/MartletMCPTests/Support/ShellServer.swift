#if os(Linux) || os(macOS)
  import MartletProcess

  @testable import MartletMCP

  /// A small server written for the shell, with one fault each.
  struct ShellServer {
    /// Answers `initialize` and `tools/list` as a legacy server and runs `body` for everything else; `$id` is the id as it
    /// came, `$line` the whole message.
    static func script(start: String = ":", list: String = "", call: String = "", probe: String? = nil) -> String {
      let list = list.isEmpty ? #"reply '{"tools":[{"name":"t","inputSchema":{"type":"object"}}]}'"# : list
      let call = call.isEmpty ? #"reply '{"content":[{"type":"text","text":"ok"}]}'"# : call
      let probe = probe ?? #"printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}\n' "$id""#
      return """
        reply() { printf '{"jsonrpc":"2.0","id":%s,"result":%s}\\n' "$id" "$1"; }
        \(start)
        while read -r line; do
          id=$(printf '%s' "$line" | sed -n 's/.*"id":\\([0-9]*\\).*/\\1/p')
          case "$line" in
            *'"initialize"'*)
              reply '{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"sh","version":"1"}}' ;;
            *'"server/discover"'*) \(probe) ;;
            *'"tools/list"'*) \(list) ;;
            *'"tools/call"'*) \(call) ;;
            *'"notifications/'*) ;;
            *) printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}\\n' "$id" ;;
          esac
        done
        """
    }

    static func transport(
      _ script: String, environment: [String: String] = [:], limits: StdioTransport.Limits = StdioTransport.Limits()
    ) -> StdioTransport {
      StdioTransport("/bin/sh", ["-c", script], environment: environment, limits: limits)
    }

    /// Runs `body` with a client of a server; nothing of the server is left afterwards.
    static func with<Result>(
      _ transport: any MCPTransport,
      configuration: MCPClient.Configuration = MCPClient.Configuration(timeouts: .patient),
      _ body: (MCPClient) async throws -> Result
    ) async throws -> Result {
      let client = MCPClient(transport, configuration: configuration)
      do {
        let result = try await body(client)
        await client.close()
        return result
      } catch {
        await client.close()
        throw error
      }
    }
  }
#endif
