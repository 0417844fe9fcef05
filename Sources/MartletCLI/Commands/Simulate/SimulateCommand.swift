import MartletJSON

#if os(Linux)
  import MartletHTTPServer
  import MartletSimulators
#endif

/// `martlet simulate`: a provider's service for tests.
enum SimulateCommand {
  private static let port = Option<Int>("port", short: "p", "P", .port, "The port; 0 (the default) takes a free one")
  private static let host = Option<String>("host", "H", .text, "The address to listen on (127.0.0.1)")
  private static let script = Option<String>(
    "script", "FILE", .file, "What it answers (docs/simulators.md says how); without one it says back what it is told")

  #if os(Linux)
    private static let providers = ProviderSimulator.Provider.allCases.map(\.rawValue)
  #else
    private static let providers: [String] = []
  #endif

  static let spec = CommandSpec(
    "simulate", "A strict simulator of a provider's service, for tests",
    discussion:
      "Prints its address on the first line of standard output and serves until Ctrl-C or SIGTERM. Refuses what the real "
      + "service refuses. GET /_simulator/verdict tells what was refused and why.",
    arguments: [
      ArgumentSpec("PROVIDER", completion: .choices(providers), "anthropic, openai, openai-responses, gemini or ollama")
    ],
    options: [port.spec, host.spec, script.spec]
  ) { arguments, context in
    #if os(Linux)
      let name = arguments.positionals[0]
      guard let provider = ProviderSimulator.Provider(rawValue: name) else {
        let near = NearestName.of(name, among: providers)
        throw CommandFailure.usage(
          "there is no simulator of \(name.quotedShort); "
            + (near.map { "did you mean \($0)?" } ?? "there are \(providers.joined(separator: ", "))"))
      }
      let simulator = ProviderSimulator(provider, script: try read(arguments[script], context))
      let server: HTTPServer
      do {
        server = try simulator.startServer(
          address: arguments[host] ?? "127.0.0.1", port: UInt16(arguments[port] ?? 0))
      } catch let error as HTTPServerError {
        throw CommandFailure.failed(error.message.lowercasedFirst, underlying: error)
      }
      do {
        try context.console.print(server.url)
        var received = ExitStatus.answered
        for await signal in context.interrupts.signals() {
          received = signal.status
          break
        }
        await server.stop(grace: .zero)
        return received
      } catch {
        await server.stop(grace: .zero)
        throw error
      }
    #else
      throw CommandFailure.notYet("simulate, which needs libmicrohttpd,")
    #endif
  }

  #if os(Linux)
    private static func read(_ path: String?, _ context: CommandContext) throws -> SimulatorScript {
      guard let path else { return .echo }
      let text = try AgentSetup.readText(path, "the script", context.places)
      do {
        return try SimulatorScript(json: JSONValue(parsing: text))
      } catch let error as JSONError {
        throw CommandFailure.usage(
          "\(path):\(error.position.line):\(error.position.column): \(error.message.lowercasedFirst)")
      } catch let error as SimulatorScriptError {
        throw CommandFailure.usage("\(path): \(error)", underlying: error)
      }
    }
  #endif
}

extension ValueKind where Value == Int {
  static let port = Self(expected: "a port from 0 to 65535") { text in
    Int(text).flatMap { (0...65_535).contains($0) ? $0 : nil }
  }
}
