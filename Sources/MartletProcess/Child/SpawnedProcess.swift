import CSpawn
import Dispatch

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A process that has just been started, with our ends of its pipes, which do not block.
struct SpawnedProcess: Sendable {
  let pid: pid_t
  let mark: ChildMark
  let input: Int32?
  let output: Int32
  let error: Int32?

  /// Starts a process on a thread that may block: `exec` reads the program from its disk.
  static func start(_ command: ProcessCommand, hasInput: Bool) async throws -> SpawnedProcess {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(with: Result { try startBlocking(command, hasInput: hasInput) })
      }
    }
  }

  private static func startBlocking(_ command: ProcessCommand, hasInput: Bool) throws(ProcessError) -> SpawnedProcess {
    let mark = ChildMark(inherited: command.environment[ChildMark.variable])
    var command = command
    #if os(Linux)
      command.environment[ChildMark.variable] = mark.value
    #endif
    var streams = try Streams(hasInput: hasInput, error: command.standardError)
    defer { streams.closeAll() }
    let pid = try spawn(command, streams.childInput, streams.childOutput, streams.childError, isDetached: false)
    return SpawnedProcess(
      pid: pid, mark: mark, input: streams.keepInput(), output: streams.keepOutput(), error: streams.keepError())
  }

  /// Starts a process in a session of its own, without streams, and reaps it when it ends.
  static func startDetached(_ command: ProcessCommand) async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      DispatchQueue.global().async { continuation.resume(with: Result { try startDetachedBlocking(command) }) }
    }
  }

  private static func startDetachedBlocking(_ command: ProcessCommand) throws(ProcessError) {
    let null = cspawn_null()
    guard null >= 0 else { throw ProcessError(errno: -null, doing: "open /dev/null") }
    defer { close(null) }
    let pid = try spawn(command, null, null, null, isDetached: true)
    // A queue of its own: it waits as long as the program lives.
    DispatchQueue(label: "MartletProcess.detached").async {
      var status: Int32 = 0
      _ = cspawn_status(pid, 1, 1, &status)
    }
  }

  private static func spawn(
    _ command: ProcessCommand, _ input: Int32, _ output: Int32, _ error: Int32, isDetached: Bool
  ) throws(ProcessError) -> pid_t {
    try validate(command)
    let lookup = ExecutableLookup(command: command)
    if let fault = lookup.workingDirectoryFault() { throw fault }
    let path = try lookup.path()
    let arguments = CStringArray([command.executable] + command.arguments)
    let variables = CStringArray(command.environment.map { "\($0.key)=\($0.value)" })
    var pid: pid_t = 0
    let failure = path.withCString { path in
      func start(in directory: UnsafePointer<CChar>?) -> Int32 {
        var request = cspawn_request(
          path: path, arguments: arguments.pointers, environment: variables.pointers, directory: directory,
          input: input, output: output, error: error, detached: isDetached ? 1 : 0)
        return cspawn_start(&request, &pid)
      }
      return command.workingDirectory?.withCString { start(in: $0) } ?? start(in: nil)
    }
    guard failure == 0 else {
      // The directory or the file may have changed since they were looked at.
      if let fault = lookup.workingDirectoryFault() { throw fault }
      throw spawnError(failure, path)
    }
    return pid
  }

  private static func validate(_ command: ProcessCommand) throws(ProcessError) {
    let texts = [command.executable, command.workingDirectory ?? ""] + command.arguments + command.environment.values
    if texts.contains(where: { $0.utf8.contains(0) }) {
      throw ProcessError(.invalidCommand, "a command, its arguments and its environment cannot hold a NUL byte")
    }
    if command.executable.isEmpty { throw ProcessError(.invalidCommand, "the command is empty") }
    if let name = command.environment.keys.first(where: { $0.isEmpty || $0.utf8.contains(0) || $0.contains("=") }) {
      throw ProcessError(.invalidCommand, "\"\(name)\" cannot be the name of an environment variable")
    }
  }

  private static func spawnError(_ number: Int32, _ path: String) -> ProcessError {
    switch number {
    case ENOENT: ProcessError(.notFound, "cannot run \"\(path)\": it, or the interpreter it names, is missing")
    case ENOEXEC:
      ProcessError(.notExecutable, "cannot run \"\(path)\": it is no program of this system and has no #! line")
    case EACCES, ELOOP, ENOTDIR, EISDIR, ELIBBAD, EPERM, ETXTBSY:
      ProcessError(.notExecutable, "cannot run \"\(path)\": \(ProcessError.text(number))")
    default: ProcessError(errno: number, doing: "run \"\(path)\"")
    }
  }
}

/// Both ends of a child's three streams until each has found its owner.
private struct Streams {
  private var open: Set<Int32> = []
  private var input: Int32?
  private var output: Int32 = -1
  private var error: Int32?
  private(set) var childInput: Int32 = -1
  private(set) var childOutput: Int32 = -1
  private(set) var childError: Int32 = -1

  init(hasInput: Bool, error stream: ProcessCommand.ErrorStream) throws(ProcessError) {
    do {
      if hasInput {
        (childInput, input) = try pipe()
      } else {
        childInput = try null()
      }
      (output, childOutput) = try pipe()
      switch stream {
      case .separate: (error, childError) = try pipe()
      case .merged: childError = childOutput
      case .discarded: childError = try null()
      }
    } catch {
      closeAll()
      throw error
    }
    for ours in [input, output, error].compactMap(\.self) { makeNonBlocking(ours) }
  }

  private mutating func pipe() throws(ProcessError) -> (reader: Int32, writer: Int32) {
    var ends: [Int32] = [-1, -1]
    let failure = cspawn_pipe(&ends)
    guard failure == 0 else { throw ProcessError(errno: failure, doing: "open a pipe") }
    open.formUnion(ends)
    return (ends[0], ends[1])
  }

  private mutating func null() throws(ProcessError) -> Int32 {
    let descriptor = cspawn_null()
    guard descriptor >= 0 else { throw ProcessError(errno: -descriptor, doing: "open /dev/null") }
    open.insert(descriptor)
    return descriptor
  }

  mutating func keepInput() -> Int32? { keep(input) }
  mutating func keepOutput() -> Int32 { keep(output) ?? output }
  mutating func keepError() -> Int32? { keep(error) }

  private mutating func keep(_ descriptor: Int32?) -> Int32? {
    if let descriptor { open.remove(descriptor) }
    return descriptor
  }

  mutating func closeAll() {
    for descriptor in open { close(descriptor) }
    open = []
  }
}

/// Strings as C wants an argument list.
private final class CStringArray {
  let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private let count: Int

  init(_ strings: [String]) {
    count = strings.count
    pointers = .allocate(capacity: count + 1)
    for (index, string) in strings.enumerated() { pointers[index] = strdup(string) }
    pointers[count] = nil
  }

  deinit {
    for index in 0..<count { free(pointers[index]) }
    pointers.deallocate()
  }
}
