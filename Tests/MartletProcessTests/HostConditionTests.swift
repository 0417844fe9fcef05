import MartletProcess
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// Runs in processes of their own what needs the host in a certain state.
@Suite struct HostConditionTests {
  @Test func `thousands of runs leak no descriptor`() async {
    // MARTLET_SPAWNS=3000 for the long form.
    await #expect(processExitsWith: .success) {
      let count = ProcessCommand.currentEnvironment["MARTLET_SPAWNS"].flatMap { Int($0) } ?? 200
      _ = try await ProcessCommand("/bin/true").run()
      try await ChildProcess.start(ProcessCommand("/bin/cat")).shutDown()
      let before = ProcessProbe.openDescriptors()
      for index in 0..<count {
        switch index % 4 {
        case 0: _ = try await ProcessCommand("/bin/echo", ["hello"]).run()
        case 1: _ = try await ProcessCommand("/bin/cat").run(input: .bytes([1, 2, 3]))
        case 2: _ = try? await ProcessCommand("/nonexistent").run()
        default:
          let child = try await ChildProcess.start(ProcessCommand("/bin/cat"))
          try await child.write([1])
          await child.shutDown()
        }
      }
      let after = ProcessProbe.openDescriptors()
      if after != before { fatalError("\(before) descriptors became \(after)") }
    }
  }

  @Test func `the child inherits no descriptor of the host`() async {
    await #expect(processExitsWith: .success) {
      let secret = open("/etc/passwd", O_RDONLY)  // not close-on-exec
      _ = dup2(secret, 77)
      let result = try await ProcessProbe.shell("ls /proc/self/fd").run()
      // The fourth is what ls itself opened.
      if result.output.numbers != [0, 1, 2, 3] { fatalError(result.output.string) }
    }
  }

  @Test func `a host without standard streams can run programs`() async {
    await #expect(processExitsWith: .success) {
      close(0)
      close(1)
      close(2)
      let result = try await ProcessProbe.shell("cat; echo err >&2").run(input: .bytes([65]))
      exit(result.output.string == "A" && result.error.string == "err\n" ? 0 : 1)
    }
  }

  @Test func `a host that runs out of descriptors is told so and recovers`() async {
    await #expect(processExitsWith: .success) {
      _ = try await ProcessCommand("/bin/true").run()
      var taken: [Int32] = []
      ProcessProbe.limit(RLIMIT_NOFILE, 64)
      while true {
        let descriptor = open("/dev/null", O_RDONLY)
        guard descriptor >= 0 else { break }
        taken.append(descriptor)
      }
      await expectError(.tooManyFiles) { try await ProcessCommand("/bin/true").run() }
      await expectError(.tooManyFiles) { try await ChildProcess.start(ProcessCommand("/bin/cat")) }
      for descriptor in taken { close(descriptor) }
      let result = try await ProcessCommand("/bin/true").run()
      if !result.status.isSuccess { fatalError("no recovery") }
    }
  }

  #if os(Linux)
    @Test(.enabled(if: geteuid() == 0, "needs to become another user"))
    func `a full process table is told so`() async {
      await #expect(processExitsWith: .success) {
        _ = try await ProcessCommand("/bin/true").run()
        ProcessProbe.limit(__RLIMIT_NPROC, 0)
        setuid(65_534)
        await expectError(.tooManyProcesses) { try await ProcessCommand("/bin/true").run() }
      }
    }
  #endif

  @Test func `a host that ignores its children's ends still learns of them`() async {
    await #expect(processExitsWith: .success) {
      signal(SIGCHLD, SIG_IGN)
      let result = try await ProcessProbe.shell("echo hi; exit 3").run()
      if result.output.string != "hi\n" { fatalError(result.output.string) }
    }
  }

  @Test func `a writer to a dead child is not ended by SIGPIPE`() async {
    await #expect(processExitsWith: .success) {
      signal(SIGPIPE, SIG_DFL)
      for _ in 0..<20 {
        let child = try await ChildProcess.start(ProcessCommand("/bin/true"))
        while true {
          do { try await child.write([UInt8](repeating: 1, count: 4_096)) } catch { break }
        }
        await child.shutDown()
      }
    }
  }
}
