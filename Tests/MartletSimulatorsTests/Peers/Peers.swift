#if os(Linux)
  import Foundation
  import MartletHTTP
  import MartletProcess
  import Testing

  /// Servers of others that speak the providers' protocols, installed by `scripts/setup-peers` (`MARTLET_PEERS` names its
  /// directory). Tests with one that is not there are skipped and say why.
  enum Peers {
    static let directory = ProcessInfo.processInfo.environment["MARTLET_PEERS"]
    /// The default on-device model, for the server of llama.cpp.
    static let model: String? = {
      let environment = ProcessInfo.processInfo.environment
      let data =
        environment["MARTLET_DATA"]
        ?? (environment["XDG_DATA_HOME"] ?? (environment["HOME"] ?? "") + "/.local/share") + "/martlet"
      let path = data + "/models/qwen2.5-coder-0.5b/qwen2.5-coder-0.5b-instruct-q4_k_m.gguf"
      return FileManager.default.fileExists(atPath: path) ? path : nil
    }()
    static let folder = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined() + "/Peers"

    static func has(_ name: String) -> Bool {
      directory.map { FileManager.default.fileExists(atPath: "\($0)/\(name)/installed") } ?? false
    }

    static func reason(_ name: String) -> Comment {
      guard let directory else { return "skipped: MARTLET_PEERS is not set; scripts/setup-peers installs the peers" }
      let reason = FileManager.default.contents(atPath: "\(directory)/\(name).skipped")
      return "skipped: \(name) is not there: \(reason.map { String(decoding: $0, as: UTF8.self) } ?? "not installed")"
    }

    struct NotReady: Error, CustomStringConvertible {
      let description: String
    }

    /// Runs `body` with a peer that listens on a port of its own, and ends the peer afterwards.
    /// - Parameter health: a path that answers with 200 when the peer is ready.
    static func withServer<Result>(
      _ name: String, program: String, _ arguments: [String], health: String,
      _ body: (_ url: String) async throws -> Result
    ) async throws -> Result {
      let file = FileManager.default.temporaryDirectory.appending(path: "martlet-port-\(UUID().uuidString)").path
      defer { try? FileManager.default.removeItem(atPath: file) }
      let programs = "\(directory ?? "")/\(name)/bin"
      let command = ProcessCommand(
        programs + "/python", ["\(folder)/on_free_port.py", file, "\(programs)/\(program)"] + arguments,
        environment: environment, workingDirectory: FileManager.default.temporaryDirectory.path, standardError: .merged)
      let child = try await ChildProcess.start(command)
      return try await withDraining(child) { output in
        let url = "http://127.0.0.1:\(try await port(from: file, output))"
        try await wait(for: url + health, child, output)
        return try await body(url)
      }
    }

    /// Runs `body` with the server of llama.cpp, which chooses its port itself.
    static func withLlamaServer<Result>(_ body: (_ url: String) async throws -> Result) async throws -> Result {
      let command = ProcessCommand(
        "\(directory ?? "")/llama-server/bin/python",
        ["\(folder)/llama_server.py", model ?? "", "\(folder)/qwen-tools.jinja"], environment: environment)
      let child = try await ChildProcess.start(command)
      return try await withDraining(child) { output in
        while !output.text.contains("\n") {
          guard !output.isOver else { throw NotReady(description: child.errorLines.suffix(5).joined(separator: "\n")) }
          try await Task.sleep(for: .milliseconds(50))
        }
        let url = String(output.text.prefix { $0 != "\n" })
        try await wait(for: url + "/health", child, output)
        return try await body(url)
      }
    }

    private static var environment: [String: String] {
      var environment = ProcessCommand.currentEnvironment
      for name in ["http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "all_proxy"] { environment[name] = nil }
      environment["PYTHONUNBUFFERED"] = "1"
      return environment
    }

    private static func withDraining<Result>(
      _ child: ChildProcess, _ body: (Output) async throws -> Result
    ) async throws -> Result {
      let output = Output()
      let draining = Task {
        defer { output.end() }
        for try await bytes in child.output { output.append(bytes) }
      }
      func end() async {
        await child.shutDown(inputGrace: .zero, terminateGrace: .seconds(1))
        draining.cancel()
        _ = await draining.result
      }
      do {
        let result = try await body(output)
        await end()
        return result
      } catch {
        await end()
        throw error
      }
    }

    /// The port that a peer listens on, which it writes to a file.
    private static func port(from file: String, _ output: Output) async throws -> UInt16 {
      for _ in 0..<2_400 {
        if let bytes = FileManager.default.contents(atPath: file),
          let port = UInt16(String(decoding: bytes, as: UTF8.self))
        {
          return port
        }
        guard !output.isOver else { break }
        try await Task.sleep(for: .milliseconds(50))
      }
      throw NotReady(description: "the peer does not listen: \(output.text.suffix(2_000))")
    }

    private static func wait(for url: String, _ child: ChildProcess, _ output: Output) async throws {
      let transport = CurlTransport(.init(proxy: .none))
      for _ in 0..<1_200 {
        do {
          let response = try await transport.send(HTTPRequest(.get, url, timeouts: .init(total: .seconds(5))))
          if response.status == 200 { return }
        } catch is HTTPError {
          // Not there yet.
        }
        guard !output.isOver else { break }
        try await Task.sleep(for: .milliseconds(100))
      }
      throw NotReady(description: "\(url) does not answer: \(output.text.suffix(2_000))")
    }
  }
#endif
