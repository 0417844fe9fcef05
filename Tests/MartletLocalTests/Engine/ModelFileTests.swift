import Foundation
import Testing

@testable import MartletLocal

@Suite struct ModelFileTests {
  let directory: TemporaryDirectory
  init() throws { directory = try TemporaryDirectory() }

  func code(opening path: String) async -> EngineError? {
    await #expect(throws: EngineError.self) { try await Engine.open(path) }
  }

  func file(_ bytes: [UInt8]) throws -> String {
    let path = directory.path + "/model.gguf"
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  @Test func `a missing file says so and names it`() async {
    let path = directory.path + "/none.gguf"
    let error = await code(opening: path)
    #expect(error?.code == .modelNotFound)
    #expect(error?.message.contains(path) == true)
  }

  @Test func `a directory is not a model`() async {
    #expect(await code(opening: directory.path)?.code == .notAModel)
  }

  @Test(arguments: [[], Array("GGU".utf8), Array("not a model at all".utf8), Array("PK\u{3}\u{4}".utf8)])
  func `a file of another kind is not a model`(_ bytes: [UInt8]) async throws {
    #expect(await code(opening: try file(bytes))?.code == .notAModel)
  }

  @Test func `a damaged header is an unsupported model`() async throws {
    let error = await code(opening: try file(Array("GGUF".utf8) + [3, 0, 0, 0] + Array(repeating: 0xEE, count: 64)))
    #expect(error?.code == .modelUnsupported)
  }

  @Test(.enabled(if: TestModels.small != nil, TestModels.missing))
  func `a model that was cut short is unsupported, with the reason`() async throws {
    let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: try #require(TestModels.small)))
    let start = try #require(try handle.read(upToCount: 8 << 20))
    let error = await code(opening: try file(Array(start)))
    #expect(error?.code == .modelUnsupported)
    #expect(error?.message.contains("cut short") == true)
  }
}
