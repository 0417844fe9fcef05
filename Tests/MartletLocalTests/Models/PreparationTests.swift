import Foundation
import MartletCrypto
import MartletSync
import Testing

@testable import MartletLocal

/// Preparing a model's file; on other processors than x86-64 it stays as it is.
@Suite struct PreparationTests {
  let directory: TemporaryDirectory
  let bytes: [UInt8]
  let model: KnownModel
  let store: ModelStore

  init() throws {
    directory = try TemporaryDirectory()
    bytes = Self.file(.q50)
    (model, store) = try Self.put(bytes, in: directory)
  }

  static func file(_ type: GGUFTensorType) -> [UInt8] {
    let data = (0..<200 * type.bytesPerBlock).map { UInt8(truncatingIfNeeded: $0 &* 37) }
    return GGUFBuilder(tensors: [
      .init(name: "a", type: type, dimensions: [200 * type.weightsPerBlock], data: data)
    ]).bytes
  }

  static func put(_ bytes: [UInt8], in directory: TemporaryDirectory) throws -> (KnownModel, ModelStore) {
    let model = ModelStoreTests.model([], bytes: bytes)
    let store = ModelStore(directory: directory.path, transport: nil, packages: ScriptedPackages())
    try FileManager.default.createDirectory(
      atPath: directory.path + "/tiny", withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(fileURLWithPath: store.path(of: model)))
    return (model, store)
  }

  private func prepare() async throws -> (path: String, events: [PrepareEvent]) {
    let events = Locked<[PrepareEvent]>([])
    let path = try await store.prepare(model) { event in events.withLock { $0.append(event) } }
    return (path, events.withLock { $0 })
  }

  private var files: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: directory.path + "/tiny").sorted() }
  }

  #if arch(x86_64)
    @Test func `a model of five-bit weights is prepared once, and its own file stays`() async throws {
      #expect(store.preparedFile(of: model) == nil)
      let first = try await prepare()
      #expect(first.path == store.path(of: model) + ".wide")
      let wide = try #require(FileManager.default.contents(atPath: first.path))
      let expected = try WeightWideningTests.widened(bytes).1
      #expect(Array(wide) == expected)
      #expect(first.events == [.progress(bytes: 0, of: wide.count), .progress(bytes: wide.count, of: wide.count)])
      #expect(store.preparedFile(of: model) == first.path)
      #expect(try Data(contentsOf: URL(fileURLWithPath: store.path(of: model))) == Data(bytes))
      let second = try await prepare()
      #expect(second.path == first.path)
      #expect(second.events.isEmpty)
    }

    @Test func `a prepared file that was changed is made again`() async throws {
      let path = try await prepare().path
      let right = FileManager.default.contents(atPath: path)
      try Data("else".utf8).write(to: URL(fileURLWithPath: path))
      #expect(store.preparedFile(of: model) == nil)
      #expect(try await prepare().path == path)
      #expect(FileManager.default.contents(atPath: path) == right)
    }

    @Test func `when the model's file is another the prepared one counts no more`() async throws {
      _ = try await prepare()
      // The same bytes in another file.
      try Data(bytes).write(to: URL(fileURLWithPath: store.path(of: model)), options: .atomic)
      #expect(store.preparedFile(of: model) == nil)
      #expect(try await prepare().events.count == 2)
    }

    @Test func `what an interrupted preparation left is written anew`() async throws {
      let partial = store.path(of: model) + ".wide.partial"
      try Data(repeating: 7, count: 1_000_000).write(to: URL(fileURLWithPath: partial))
      let path = try await prepare().path
      let expected = try WeightWideningTests.widened(bytes).1
      #expect(FileManager.default.contents(atPath: path).map(Array.init) == expected)
      #expect(!FileManager.default.fileExists(atPath: partial))
    }

    @Test func `a cancelled preparation leaves nothing behind`() async throws {
      let before = try await store.file(of: model)
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await store.prepare(model)
      }
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(try files == ["tiny.gguf", "tiny.gguf.verified"])
      #expect(before == store.path(of: model))
    }

    @Test func `while another process prepares, the model's own file serves`() async throws {
      let other = try PartialFile(store.path(of: model) + ".wide.partial")
      let (path, events) = try await prepare()
      #expect(path == store.path(of: model))
      guard case .skipped(let reason) = events.first else {
        Issue.record("\(events)")
        return
      }
      #expect(reason.contains("Another process is preparing tiny"))
      withExtendedLifetime(other) {}
    }

    @Test func `with the model's file the prepared one goes`() async throws {
      _ = try await prepare()
      try FileManager.default.removeItem(atPath: store.path(of: model))
      await #expect(throws: ModelStoreError.self) { try await store.file(of: model) }
      #expect(try files == ["tiny.gguf.verified"])
    }
  #endif

  @Test(arguments: [PreparationTests.file(.q80), PreparationTests.file(.q4K), Array("GGUF and nothing else".utf8)])
  func `a file that would gain nothing is used as it is`(bytes: [UInt8]) async throws {
    let directory = try TemporaryDirectory()
    let (model, store) = try Self.put(bytes, in: directory)
    #expect(try await store.prepare(model) == store.path(of: model))
    #expect(store.preparedFile(of: model) == nil)
  }

  @Test func `a model that is not here cannot be prepared`() async throws {
    try FileManager.default.removeItem(atPath: store.path(of: model))
    let error = await #expect(throws: ModelStoreError.self) { try await store.prepare(model) }
    #expect(error?.code == .notPulled)
  }
}
