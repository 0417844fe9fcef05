import MartletHTTP
import MartletTesting
import Testing

@Suite struct HTTPBodyTests {
  @Test func `chunks come in order, without empty ones, once`() async throws {
    let body = HTTPBody(chunks: [[], [1], [], [2, 3]])
    var chunks: [[UInt8]] = []
    for try await chunk in body { chunks.append(chunk) }
    #expect(chunks == [[1], [2, 3]])
    #expect(try await body.bytes(limit: 0) == [])
  }

  @Test func `a limit is the most there may be`() async throws {
    #expect(try await HTTPBody(chunks: [[1], [2]]).bytes(limit: 2) == [1, 2])
    let error = await #expect(throws: HTTPError.self) { try await HTTPBody(chunks: [[1], [2]]).bytes(limit: 1) }
    #expect(error?.code == .tooLarge)
  }

  @Test func `a cancelled reader gets no normal end, even when the source gives one`() async {
    final class Ending: HTTPBodySource {
      let asked = Promise<Void>()
      func next() async throws -> [UInt8]? {
        asked.keep()
        while !Task.isCancelled { await Task.yield() }
        return nil
      }
    }
    let source = Ending()
    let task = Task { for try await _ in HTTPBody(source) {} }
    await source.asked.value
    task.cancel()
    let result = await task.result
    #expect(throws: CancellationError.self) { try result.get() }
  }
}
