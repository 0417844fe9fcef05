import MartletProcess
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// Children that one talks to.
@Suite struct ChildProcessTests {
  let shell = ProcessProbe.shell

  @Test func `lines go out and come back`() async throws {
    let child = try await ChildProcess.start(ProcessCommand("/bin/cat"))
    var output = child.output.makeAsyncIterator()
    for index in 0..<200 {
      let line = Array("{\"id\":\(index)}\n".utf8)
      try await child.write(line)
      #expect(try await output.next() == line)
    }
    child.closeInput()
    #expect(try await output.next() == nil)
    #expect(await child.shutDown() == .exited(0))
  }

  @Test func `large writes of many tasks do not mix`() async throws {
    let child = try await ChildProcess.start(ProcessCommand("/bin/cat"))
    let size = 100_000
    try await withThrowingTaskGroup(of: Void.self) { group in
      for letter in UInt8(ascii: "a")...UInt8(ascii: "t") {
        group.addTask { try await child.write([UInt8](repeating: letter, count: size)) }
      }
      var received: [UInt8] = []
      for try await chunk in child.output {
        received += chunk
        if received.count == 20 * size { break }
      }
      let runs = received.split { $0 == 0 }.first.map(Self.runs) ?? []
      #expect(runs.count == 20)
      #expect(runs.allSatisfy { $0 == size })
      try await group.waitForAll()
    }
    await child.shutDown()
  }

  @Test func `a write waits for a child that does not read and fails when it ends`() async throws {
    let child = try await ChildProcess.start(shell("exec sleep 300", false))
    let write = Task { try await child.write([UInt8](repeating: 1, count: 1_000_000)) }
    let behind = Task { try await child.write([2]) }
    #expect(await child.shutDown(inputGrace: .zero, terminateGrace: .zero) == .signaled(SIGKILL))
    await expectError(.inputClosed) { try await write.value }
    await expectError(.inputClosed) { try await behind.value }
    await expectError(.inputClosed) { try await child.write([3]) }
  }

  @Test func `a cancelled write that has begun is completed, one that has not is dropped`() async throws {
    // The child reads only once it is continued, so the pipe fills and the write stands half done.
    let late = try await ChildProcess.start(shell("kill -STOP $$; exec cat", false))
    let begun = Task { try await late.write([UInt8](repeating: 97, count: 200_000)) }
    let waiting = Task { try await late.write([UInt8](repeating: 98, count: 10)) }
    #expect(try await ProcessProbe.eventually { ProcessProbe.isStopped(late.id) })
    begun.cancel()
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await begun.value }
    await #expect(throws: CancellationError.self) { try await waiting.value }
    late.closeInput()
    late.send(signal: SIGCONT)
    var counts: [UInt8: Int] = [:]
    for try await chunk in late.output { for byte in chunk { counts[byte, default: 0] += 1 } }
    // Which of the two the queue took first is open; whatever began is whole.
    #expect(counts[97] == 200_000 || counts[97] == nil)
    #expect(counts[98] == nil || counts[98] == 10)
    await late.shutDown()
  }

  @Test func `a closed input refuses writes and ends the child`() async throws {
    let child = try await ChildProcess.start(ProcessCommand("/bin/cat"))
    try await child.write(Array("x".utf8))
    child.closeInput()
    await expectError(.inputClosed) { try await child.write([1]) }
    #expect(try await child.waitForExit() == .exited(0))
    var rest: [UInt8] = []
    for try await chunk in child.output { rest += chunk }
    #expect(rest == [UInt8(ascii: "x")])
  }

  @Test func `a slow reader slows the child and loses nothing`() async throws {
    let child = try await ChildProcess.start(shell("seq 1 400000", false), buffer: 4_096)
    var (count, largest, last) = (0, 0, [UInt8]())
    for try await chunk in child.output {
      count += chunk.count
      largest = max(largest, chunk.count)
      last = (last + chunk).suffix(8)
      await Task.yield()
    }
    #expect(count == 2_688_895)
    #expect(String(decoding: last, as: UTF8.self) == "\n400000\n")
    #expect(largest <= 4_096 + 128 * 1_024)
    await child.shutDown()
  }

  @Test func `endless output that nobody reads does not hinder the end`() async throws {
    let child = try await ChildProcess.start(shell("yes; true", false))
    var output = child.output.makeAsyncIterator()
    _ = try await output.next()
    #expect(await child.shutDown(inputGrace: .zero) == .signaled(SIGTERM))
    while let chunk = try await output.next() { #expect(!chunk.isEmpty) }
  }

  @Test func `the last lines of standard error are kept`() async throws {
    let child = try await ChildProcess.start(
      shell("seq 1 1000 >&2; printf 'half a line' >&2", false), errorHandling: .lastLines(3))
    _ = try await child.waitForExit()
    for try await _ in child.output {}
    await child.shutDown()
    #expect(child.errorLines == ["999", "1000", "half a line"])
  }

  @Test func `standard error can be read as a stream`() async throws {
    let child = try await ChildProcess.start(shell("echo oops >&2; echo fine", false), errorHandling: .stream)
    var (error, output) = ([UInt8](), [UInt8]())
    for try await chunk in child.errorOutput { error += chunk }
    for try await chunk in child.output { output += chunk }
    #expect(error == Array("oops\n".utf8))
    #expect(output == Array("fine\n".utf8))
    await child.shutDown()
  }

  @Test func `the exit is known although a grandchild holds the pipe`() async throws {
    let child = try await ChildProcess.start(shell("sleep 300 & echo $!; exit 7", false))
    #expect(try await child.waitForExit() == .exited(7))
    var output: [UInt8] = []
    for try await chunk in child.output { output += chunk }
    await child.shutDown()
    let grandchild = try #require(Int32(String(decoding: output.dropLast(), as: UTF8.self)))
    #expect(!ProcessProbe.isAlive(grandchild))
  }

  @Test func `shutting down tries the input, then asks, then kills`() async throws {
    let polite = try await ChildProcess.start(shell("cat >/dev/null; exit 5", false))
    #expect(await polite.shutDown(inputGrace: .seconds(60)) == .exited(5))
    let deaf = try await ChildProcess.start(
      shell("trap 'exit 6' TERM; echo ready; while :; do sleep 0.01; done", false))
    var ready = deaf.output.makeAsyncIterator()
    _ = try await ready.next()
    #expect(await deaf.shutDown(inputGrace: .milliseconds(1), terminateGrace: .seconds(60)) == .exited(6))
    let stubborn = try await ChildProcess.start(shell("trap '' TERM; echo ready; while :; do sleep 0.01; done", false))
    ready = stubborn.output.makeAsyncIterator()
    _ = try await ready.next()
    let status = await stubborn.shutDown(inputGrace: .milliseconds(1), terminateGrace: .milliseconds(50))
    #expect(status == .signaled(SIGKILL))
    #expect(await stubborn.shutDown() == .signaled(SIGKILL))
  }

  @Test func `shutting down in a cancelled task is complete`() async throws {
    let child = try await ChildProcess.start(shell("trap '' TERM; echo ready; while :; do sleep 0.01; done", false))
    var ready = child.output.makeAsyncIterator()
    _ = try await ready.next()
    await withTaskGroup(of: Void.self) { group in
      group.cancelAll()
      group.addTask { await child.shutDown(inputGrace: .seconds(600), terminateGrace: .milliseconds(50)) }
    }
    #expect(!ProcessProbe.isAlive(child.id))
  }

  @Test func `a dropped child is killed with its group`() async throws {
    var ids: [Int32] = []
    do {
      let child = try await ChildProcess.start(shell("trap '' TERM; sleep 300 & echo $!; wait; wait; wait", false))
      var output = child.output.makeAsyncIterator()
      let line = try #require(try await output.next())
      ids = [child.id, try #require(Int32(String(decoding: line.dropLast(), as: UTF8.self)))]
    }
    for id in ids { #expect(try await ProcessProbe.eventually { !ProcessProbe.isAlive(id) }) }
  }

  @Test func `a cancelled reader loses no byte`() async throws {
    let child = try await ChildProcess.start(ProcessCommand("/bin/cat"))
    let reader = Task {
      for try await chunk in child.output { return chunk }; return []
    }
    reader.cancel()
    await #expect(throws: CancellationError.self) { try await reader.value }
    try await child.write([1, 2, 3])
    var output = child.output.makeAsyncIterator()
    #expect(try await output.next() == [1, 2, 3])
    await child.shutDown()
  }

  @Test func `many wait for one exit, and giving up does not end the child`() async throws {
    let child = try await ChildProcess.start(ProcessCommand("/bin/cat"))
    let impatient = Task { try await child.waitForExit() }
    impatient.cancel()
    await #expect(throws: CancellationError.self) { try await impatient.value }
    try await withThrowingTaskGroup(of: ExitStatus.self) { group in
      for _ in 0..<8 { group.addTask { try await child.waitForExit() } }
      #expect(ProcessProbe.isAlive(child.id))
      child.closeInput()
      for try await status in group { #expect(status == .exited(0)) }
    }
    await child.shutDown()
  }

  @Test func `a signal reaches the whole group`() async throws {
    let script =
      "trap 'echo parent; exit' USR1; sh -c 'trap \"echo child; exit\" USR1; echo up; while :; do sleep 0.01; done' & while :; do sleep 0.01; done"
    let child = try await ChildProcess.start(shell(script, false))
    var output = child.output.makeAsyncIterator()
    #expect(try await output.next() == Array("up\n".utf8))
    child.send(signal: SIGUSR1)
    var text = ""
    while let chunk = try await output.next() { text += String(decoding: chunk, as: UTF8.self) }
    #expect(text.contains("parent\n"))
    #expect(text.contains("child\n"))
    await child.shutDown()
  }

  /// The lengths of runs of equal bytes.
  private static func runs(_ bytes: ArraySlice<UInt8>) -> [Int] {
    var lengths: [Int] = []
    var previous: UInt8?
    for byte in bytes {
      if byte == previous { lengths[lengths.count - 1] += 1 } else { lengths.append(1) }
      previous = byte
    }
    return lengths
  }
}
