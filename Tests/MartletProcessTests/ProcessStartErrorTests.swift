import MartletProcess
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

@Suite struct ProcessStartErrorTests {
  @Test(arguments: ["/nonexistent", "/etc/passwd/x", "nonexistent-program", "./nonexistent"])
  func `a missing program is named`(path: String) async {
    await expectError(.notFound) { try await ProcessCommand(path).run() }
  }

  @Test(arguments: ["/etc/passwd", "/usr", "/dev/null"])
  func `a file that is no program is told from a missing one`(path: String) async {
    await expectError(.notExecutable) { try await ProcessCommand(path).run() }
  }

  @Test func `a missing working directory is not a missing program`() async {
    await expectError(.workingDirectoryMissing) {
      try await ProcessCommand("/bin/true", workingDirectory: "/nope").run()
    }
    await expectError(.workingDirectoryMissing) {
      try await ProcessCommand("/bin/true", workingDirectory: "/etc/passwd").run()
    }
  }

  @Test func `a script without a first line or with a missing interpreter says so`() async throws {
    try await withScript("echo hi\n") { path in
      await expectError(.notExecutable) { try await ProcessCommand(path).run() }
    }
    try await withScript("#!/nonexistent/interpreter\n") { path in
      await expectError(.notFound) { try await ProcessCommand(path).run() }
    }
  }

  @Test func `a NUL byte is refused`() async {
    await expectError(.invalidCommand) { try await ProcessCommand("/bin/echo", ["a\0b"]).run() }
    await expectError(.invalidCommand) { try await ProcessCommand("/bin/true", environment: ["A": "\0"]).run() }
    await expectError(.invalidCommand) { try await ProcessCommand("", []).run() }
  }

  @Test(arguments: ["", "A=B"])
  func `an impossible variable name is refused`(name: String) async {
    await expectError(.invalidCommand) { try await ProcessCommand("/bin/true", environment: [name: "x"]).run() }
  }

  @Test func `arguments beyond the system's limit are refused`() async {
    let huge = String(repeating: "x", count: 200_000)
    await expectError(.argumentsTooLong) {
      try await ProcessCommand("/bin/true", [String](repeating: huge, count: 40)).run()
    }
  }

  @Test func `a cancelled task starts nothing`() async {
    await withTaskGroup(of: Void.self) { group in
      group.cancelAll()
      group.addTask {
        await #expect(throws: CancellationError.self) { try await ProcessCommand("/bin/true").run() }
        await #expect(throws: CancellationError.self) { try await ChildProcess.start(ProcessCommand("/bin/cat")) }
      }
    }
  }

  private func withScript(_ text: String, _ body: (String) async throws -> Void) async throws {
    var template = Array("/tmp/martlet-script-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    try #require(descriptor >= 0)
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { unlink(path) }
    _ = text.withCString { write(descriptor, $0, strlen($0)) }
    fchmod(descriptor, 0o755)
    close(descriptor)
    try await body(path)
  }
}
