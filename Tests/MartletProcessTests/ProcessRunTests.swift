import MartletProcess
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

@Suite struct ProcessRunTests {
  let shell = ProcessProbe.shell

  @Test(arguments: [0, 1, 7, 127, 255])
  func `the exit status is the program's own`(code: Int32) async throws {
    let result = try await shell("exit \(code)", false).run()
    #expect(result.status == .exited(code))
    #expect(result.ending == .ended)
    #expect(result.status.isSuccess == (code == 0))
  }

  @Test func `a signal is told from a status`() async throws {
    let result = try await shell("kill -9 $$", false).run()
    #expect(result.status == .signaled(SIGKILL))
    #expect(result.status.shellStatus == 137)
  }

  @Test func `output and error are kept apart`() async throws {
    let result = try await shell("echo out; echo err >&2", false).run()
    #expect(result.output.string == "out\n")
    #expect(result.error.string == "err\n")
  }

  @Test func `merged output keeps the order of writing`() async throws {
    let result = try await shell("for i in 1 2 3; do echo o$i; echo e$i >&2; done", true).run()
    #expect(result.output.string == "o1\ne1\no2\ne2\no3\ne3\n")
    #expect(result.error.bytes.isEmpty)
  }

  @Test func `discarded errors are not seen`() async throws {
    let command = ProcessCommand("/bin/sh", ["-c", "echo err >&2; echo out"], standardError: .discarded)
    let result = try await command.run()
    #expect(result.output.string == "out\n")
    #expect(result.error.bytes.isEmpty)
  }

  @Test func `arguments arrive as they are`() async throws {
    let arguments = ["", " ", "a b", "$HOME", "'", "\"", "-n", "ünïcödé 🐦", "line\nbreak"]
    let result = try await ProcessCommand("/usr/bin/printf", ["%s\\0"] + arguments).run()
    #expect(
      result.output.bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast()
        .map { String(decoding: $0, as: UTF8.self) } == arguments)
  }

  @Test func `the environment is exactly the one given`() async throws {
    let result = try await ProcessCommand("/usr/bin/env", environment: ["A": "1", "B": "x=y"]).run()
    let variables = Set(result.output.string.split(separator: "\n").filter { !$0.hasPrefix("MARTLET_CHILD=") })
    #expect(variables == ["A=1", "B=x=y"])
  }

  @Test func `the program starts in its working directory`() async throws {
    let result = try await ProcessCommand("/bin/pwd", workingDirectory: "/usr").run()
    #expect(result.output.string == "/usr\n")
  }

  @Test func `a relative program is looked up from the working directory`() async throws {
    let result = try await ProcessCommand("bin/env", environment: ["A": "1"], workingDirectory: "/usr").run()
    #expect(result.output.string.contains("A=1\n"))
  }

  @Test func `a bare name is looked up in the PATH of the command`() async throws {
    #expect(try await ProcessCommand("true", environment: ["PATH": "/nowhere:/bin:/usr/bin"]).run().status.isSuccess)
    await expectError(.notFound) { try await ProcessCommand("true", environment: ["PATH": "/nowhere"]).run() }
  }

  @Test func `without input the program reads the end at once`() async throws {
    #expect(try await ProcessCommand("/bin/cat").run().output.bytes.isEmpty)
  }

  @Test(arguments: [1, 4_096, 65_536, 65_537, 5_000_000])
  func `input of any size comes back through a full pipe`(size: Int) async throws {
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let result = try await ProcessCommand("/bin/cat").run(
      input: .bytes(bytes), limits: ProcessLimits(keptOutput: 2 * size))
    #expect(result.output.bytes == bytes)
    #expect(result.output.dropped == 0)
  }

  @Test func `a stream of input is asked for as the program reads`() async throws {
    let source = Countdown(200)
    let result = try await shell("wc -c", false).run(input: .stream { await source.next() })
    #expect(result.output.string.filter(\.isNumber) == "200000")
  }

  @Test func `a program that ends before its input is no error`() async throws {
    let endless = ProcessInput.stream { [UInt8](repeating: 65, count: 65_536) }
    #expect(try await ProcessCommand("/bin/true").run(input: endless).status.isSuccess)
    let bytes = ProcessInput.bytes([UInt8](repeating: 65, count: 10_000_000))
    #expect(try await ProcessCommand("/bin/true").run(input: bytes).status.isSuccess)
  }

  @Test func `a failing input stream ends the program and is thrown`() async throws {
    struct Failure: Error {}
    await #expect(throws: Failure.self) {
      try await shell("cat; sleep 300", false).run(input: .stream { throw Failure() })
    }
  }

  @Test func `both streams full at once do not block`() async throws {
    let script = "head -c 3000000 /dev/zero & head -c 3000000 /dev/zero >&2; wait"
    let result = try await shell(script, false).run(limits: ProcessLimits(keptOutput: 4_000_000))
    #expect(result.output.bytes.count == 3_000_000)
    #expect(result.error.bytes.count == 3_000_000)
  }

  @Test func `of too much output beginning and end are kept`() async throws {
    let result = try await shell("seq 1 100000", false).run(limits: ProcessLimits(keptOutput: 1_000))
    #expect(result.output.head.starts(with: Array("1\n2\n3\n".utf8)))
    #expect(result.output.tail.suffix(6) == Array("00000\n".utf8)[...])
    #expect(result.output.head.count + result.output.tail.count == 1_000)
    #expect(result.output.dropped == 588_895 - 1_000)
  }

  @Test func `endless output ends the group at the limit`() async throws {
    let result = try await shell("yes", false).run(limits: ProcessLimits(keptOutput: 100, maximumOutput: 1_000_000))
    #expect(result.ending == .tooMuchOutput)
    #expect(!result.status.isSuccess)
  }

  @Test func `the program has default signals whatever the host does`() async throws {
    let result = try await shell("kill -PIPE $$; echo survived", false).run()
    #expect(result.status == .signaled(SIGPIPE))
  }

  @Test func `many run side by side`() async throws {
    try await withThrowingTaskGroup(of: (Int, ProcessResult).self) { group in
      for index in 0..<64 { group.addTask { (index, try await shell("echo a\(index); echo b >&2", false).run()) } }
      for try await (index, result) in group {
        #expect(result.output.string == "a\(index)\n")
        #expect(result.error.string == "b\n")
      }
    }
  }

  private actor Countdown {
    var left: Int
    init(_ count: Int) { left = count }
    func next() -> [UInt8]? {
      guard left > 0 else { return nil }
      left -= 1
      return [UInt8](repeating: 120, count: 1_000)
    }
  }
}

func expectError<T>(
  _ code: ProcessError.Code, sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> T
) async {
  do {
    _ = try await body()
    Issue.record("no error", sourceLocation: sourceLocation)
  } catch let error as ProcessError {
    #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
  } catch {
    Issue.record(error, sourceLocation: sourceLocation)
  }
}
