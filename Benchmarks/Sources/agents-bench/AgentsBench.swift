import Foundation
import Martlet
import MartletHTTP
import MartletHTTPServer
import MartletJSON
import MartletProcess
import MartletProviders
import MartletSimulators

#if canImport(Glibc)
  import Glibc
#endif

/// What many agents in one process cost: CPU time and memory of the whole process, the server not counted.
///
///     agents-bench [anthropic] [--base-url URL] [--agents 50] [--turns 20] [--no-stream]
///
/// Without an address it starts a simulator in a process of its own.
@main struct AgentsBench {
  static func main() async throws {
    var options = Options(Array(CommandLine.arguments.dropFirst()))
    if options.serves { return try await serve(options) }
    var server: ChildProcess?
    if options.baseURL == nil {
      let child = try await ChildProcess.start(
        ProcessCommand(CommandLine.arguments[0], ["serve", "--turns", "\(options.turns)"]))
      var line = ""
      for try await bytes in child.output {
        line += String(decoding: bytes, as: UTF8.self)
        if line.hasSuffix("\n") { break }
      }
      options.baseURL = String(line.dropLast())
      server = child
    }
    let url = options.baseURL ?? ""
    let chosen = options
    _ = try await agent(url, options).send("Warm up.")
    let start = Usage.now
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<options.agents {
        group.addTask { _ = try await agent(url, chosen).send("Add the numbers, agent \(number).") }
      }
      try await group.waitForAll()
    }
    let used = Usage.now.cpu - start.cpu
    let requests = options.agents * (options.turns + 1)
    print(
      "\n\(options.agents) agents of \(options.turns) tool calls at once, one process\n"
        + "  CPU \(milliseconds(used)) ms, \(milliseconds(used / Double(requests), places: 3)) ms a request, "
        + "start-up \(milliseconds(start.cpu)) ms; peak memory \(Usage.now.peakMegabytes) MB")
    if server != nil, options.streams {
      let before = Usage.now
      var deltas = 0
      for try await event in model(url + "/stream").stream(ModelRequest(messages: [.user("Go")])) {
        if case .text = event { deltas += 1 }
      }
      let used = Usage.now.cpu - before.cpu
      print(
        "\nOne reply of \(deltas) deltas\n  \(milliseconds(used / Double(max(1, deltas)) * 1e3, places: 2)) µs CPU a delta; "
          + "peak memory \(Usage.now.peakMegabytes) MB")
    }
    await server?.shutDown(inputGrace: .zero, terminateGrace: .seconds(1))
  }

  static func model(_ url: String) -> any LanguageModel {
    Anthropic(
      "claude-opus-5", key: APIKey("test"), configuration: .init(baseURL: url), transport: SystemTransport.shared)
  }

  static func agent(_ url: String, _ options: Options) throws -> Agent {
    Agent(
      model: model(url), tools: try ToolRegistry([Add()]),
      configuration: AgentConfiguration(instructions: "Add.", budget: Budget(iterations: options.turns + 2)))
  }

  struct Add: Tool {
    struct Arguments: Decodable, Sendable { var a: Int; var b: Int }
    let name = "add"
    let description = "Adds two numbers."
    let effect = ToolEffect.readOnly
    let parameters: JSONValue = [
      "type": "object", "properties": ["a": ["type": "integer"], "b": ["type": "integer"]], "required": ["a", "b"],
    ]
    func call(arguments: Arguments, context: ToolContext) async throws -> ToolOutput {
      .text("\(arguments.a + arguments.b)")
    }
  }

  /// The simulator, until standard input ends: conversations of so many calls, and below `/stream` one long text.
  static func serve(_ options: Options) async throws {
    let calls = (0..<options.turns).map { SimulatedReply.calls(SimulatedCall("add", ["a": JSONValue($0), "b": 1])) }
    let simulator = ProviderSimulator(.anthropic, script: SimulatorScript(calls + [.text("Done.")]))
    let long = ProviderSimulator(
      .anthropic, script: SimulatorScript([.text(String(repeating: "word", count: 170_000), pieceSize: 4)]))
    let stream = HTTPRoute(.post, "/stream/v1/messages") { request in
      try await long.answer(.post, "/v1/messages", headers: request.headers, body: request.body)
    }
    let server = try HTTPServer(.init(), routes: [stream] + simulator.routes())
    FileHandle.standardOutput.write(Data((server.url + "\n").utf8))
    while readLine() != nil {}
    await server.stop(grace: .zero)
  }

  struct Options {
    var agents = 50
    var turns = 20
    var baseURL: String?
    var serves = false
    var streams = true

    init(_ words: [String]) {
      var words = words[...]
      while let word = words.popFirst() {
        switch word {
        case "serve": serves = true
        case "--base-url": baseURL = words.popFirst()
        case "--agents": agents = words.popFirst().flatMap { Int($0) } ?? agents
        case "--turns": turns = words.popFirst().flatMap { Int($0) } ?? turns
        case "--no-stream": streams = false
        default: break
        }
      }
    }
  }

  struct Usage {
    /// Seconds, user and system.
    var cpu: Double
    var peakMegabytes: Int

    static var now: Self {
      var usage = rusage()
      getrusage(0, &usage)  // RUSAGE_SELF, whose type differs between platforms
      func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
      #if os(Linux)
        let unit = 1_024
      #else
        let unit = 1_048_576
      #endif
      return Self(cpu: seconds(usage.ru_utime) + seconds(usage.ru_stime), peakMegabytes: Int(usage.ru_maxrss) / unit)
    }
  }

  static func milliseconds(_ seconds: Double, places: Int = 1) -> String {
    String(format: "%.\(places)f", seconds * 1e3)
  }
}
