import Testing

@testable import MartletCLI

@Suite struct `reading lines` {
  @Test func `lines come one by one, also the last without an end`() async throws {
    let pipe = try PipedInput()
    try pipe.type("one\r\ntwo\n\nthree")
    pipe.finish()
    #expect(try await pipe.input.nextLine() == "one")
    #expect(try await pipe.input.nextLine() == "two")
    #expect(try await pipe.input.nextLine() == "")
    #expect(try await pipe.input.nextLine() == "three")
    #expect(try await pipe.input.nextLine() == nil)
    #expect(try await pipe.input.nextLine() == nil)
  }

  @Test func `waiting can be cancelled and nothing typed is lost`() async throws {
    let pipe = try PipedInput()
    try pipe.type("half ")
    let waiting = Task { try await pipe.input.nextLine() }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    try pipe.type("a line\n")
    #expect(try await pipe.input.nextLine() == "half a line")
    pipe.finish()
  }

  @Test func `everything up to the end`() async throws {
    let pipe = try PipedInput()
    try pipe.type("a\nb")
    pipe.finish()
    #expect(try await pipe.input.all() == Array("a\nb".utf8))
  }

  @Test func `input without end is refused, not kept`() async throws {
    let pipe = try PipedInput(limit: 8)
    try pipe.type("12345678\n")
    await #expect(throws: InputFailure.self) { try await pipe.input.all() }
    try pipe.type("1234567\n")
    #expect(try await pipe.input.nextLine() == "1234567")
    pipe.finish()
  }
}
