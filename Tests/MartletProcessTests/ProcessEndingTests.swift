import MartletProcess
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// How runs end, and that nothing of them stays.
@Suite struct ProcessEndingTests {
  let shell = ProcessProbe.shell

  @Test(arguments: [
    "sleep 300 & echo $!; exit 7",
    "nohup sleep 300 & echo $!; exit 7",
    "nohup sleep 300 >/dev/null 2>&1 & echo $!; exit 7",
    "(sleep 300 & echo $!; sleep 300 & echo $!) & sleep 0.05; exit 7",
    "trap '' TERM; sleep 300 & echo $!; exit 7",
    "sh -c 'trap \"\" TERM HUP; sleep 300; sleep 300' & echo $!; exit 7",
  ])
  func `a background job neither delays the end nor survives it`(script: String) async throws {
    let result = try await shell(script, false).run()
    #expect(result.status == .exited(7))
    #expect(result.ending == .ended)
    #expect(!result.output.numbers.isEmpty)
    for id in result.output.numbers { #expect(!ProcessProbe.isAlive(id)) }
  }

  @Test func `a detached program leads a session of its own`() async throws {
    let pipe = "/tmp/martlet-detached-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    #expect(mkfifo(pipe, 0o600) == 0)
    defer { unlink(pipe) }
    let reader = shell("cat \(pipe)", false)
    async let read = reader.run()
    try await shell("ps -o pid= -o sid= -p $$ > \(pipe)", false).startDetached()
    let numbers = try await read.output.text().split(whereSeparator: \.isWhitespace).map(String.init)
    #expect(numbers.count == 2 && numbers.first == numbers.last, "\(numbers)")
  }

  @Test func `output that comes just after the end is still read`() async throws {
    let result = try await shell("(sleep 0.02; echo late) & echo now", false).run(
      limits: ProcessLimits(drain: .seconds(20)))
    #expect(result.output.string == "now\nlate\n")
  }

  @Test(arguments: [
    "sleep 300 & echo $!; wait",
    "nohup sleep 300 & echo $!; sleep 300",
    "trap '' TERM; echo $$; while :; do sleep 0.01; done",
    "echo $$; kill -STOP $$; sleep 300",
  ])
  func `a timeout ends the whole group`(script: String) async throws {
    let result = try await shell(script, false).run(
      limits: ProcessLimits(timeout: .milliseconds(300), grace: .milliseconds(100)))
    #expect(result.ending == .timedOut)
    #expect(!result.status.isSuccess)
    #expect(!result.output.numbers.isEmpty)
    for id in result.output.numbers { #expect(!ProcessProbe.isAlive(id)) }
  }

  @Test func `a program may clean up in its grace`() async throws {
    let script = "trap 'echo bye; exit 3' TERM; echo ready; while :; do sleep 0.01; done"
    let result = try await shell(script, false).run(
      limits: ProcessLimits(timeout: .milliseconds(300), grace: .seconds(60)))
    #expect(result.output.string == "ready\nbye\n")
    #expect(result.status == .exited(3))
    #expect(result.ending == .timedOut)
  }

  @Test func `a run that ends in time is not timed out`() async throws {
    #expect(try await shell("exit 0", false).run(limits: ProcessLimits(timeout: .seconds(600))).ending == .ended)
  }

  @Test(arguments: ["wait", "trap '' TERM; while :; do sleep 0.01; done"])
  func `cancelling ends the whole group before it throws`(rest: String) async throws {
    let file = "/tmp/martlet-cancel-\(UInt64.random(in: .min ... .max))"
    defer { unlink(file) }
    let script = "sleep 300 & echo $! >\(file).new; echo $$ >>\(file).new; mv \(file).new \(file); \(rest)"
    let task = Task {
      try await shell(script, false).run(
        input: .stream {
          try await Task.sleep(for: .seconds(600))
          return nil
        }, limits: ProcessLimits(grace: .milliseconds(100)))
    }
    #expect(try await ProcessProbe.eventually { access(file, R_OK) == 0 })
    let ids = try await ProcessCommand("/bin/cat", [file]).run().output.numbers
    #expect(ids.count == 2)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    for id in ids { #expect(!ProcessProbe.isAlive(id)) }
  }

  #if os(Linux)
    @Test(arguments: [
      "setsid sleep 300 & echo $!; sleep 300",
      "setsid sh -c 'setsid sleep 300 & echo $!; sleep 300' & sleep 300",
      "(setsid setsid sh -c 'echo $$; sleep 300' </dev/null 2>/dev/null &) ; sleep 300",
    ])
    func `a process that left the group is found when the run is ended early`(script: String) async throws {
      let result = try await shell(script, false).run(
        limits: ProcessLimits(timeout: .milliseconds(300), grace: .milliseconds(50)))
      #expect(result.ending == .timedOut)
      #expect(!result.output.numbers.isEmpty)
      for id in result.output.numbers { #expect(!ProcessProbe.isAlive(id)) }
    }
  #endif
}
