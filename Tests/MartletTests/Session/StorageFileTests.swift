import Foundation
import MartletTesting
import Testing

@testable import Martlet

@Suite struct `A file that is replaced` {
  @Test func `by several writers at once is the file of one of them, and nothing else stays`() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/file"
    let contents = (UInt8(0)..<8).map { Array(repeating: $0, count: 20_000) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for content in contents {
        group.addTask { for _ in 0..<10 { try StorageFile.replace(path, with: content) } }
      }
      try await group.waitForAll()
    }
    #expect(contents.contains(try StorageFile(path).read(0..<30_000)))
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["file"])
  }
}
