import Foundation
import MartletCrypto
import MartletHTTP
import MartletSync
import Testing

@testable import MartletLocal

@Suite struct ModelStoreTests {
  static let bytes = (0..<5_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 3) }
  static let url = "https://models.example/tiny.gguf"

  /// A model of 5,000 bytes with parts of 2,000, 2,000 and 1,000.
  static func model(_ sources: [ModelSource]? = nil, bytes: [UInt8] = bytes) -> KnownModel {
    let parts = [2_000, 2_000, 1_000].enumerated().map { index, size in
      PackagePart(package: "part\(index + 1)", version: "1", member: "data/part\(index + 1).bin", size: size)
    }
    return KnownModel(
      name: "tiny", fileName: "tiny.gguf", size: bytes.count, sha256: SHA256.hash(bytes).hex, license: "CC0-1.0",
      use: "tests", sources: sources ?? [.url(url), .packages(parts)])
  }

  static let parts: [String: [UInt8]] = [
    "part1": Array(bytes[..<2_000]), "part2": Array(bytes[2_000..<4_000]), "part3": Array(bytes[4_000...]),
  ]

  static func whole(_ bytes: [UInt8] = bytes) -> ScriptedTransport.Answer {
    { _ in
      HTTPResponse(status: 200, body: HTTPBody(chunks: [Array(bytes.prefix(1_500)), Array(bytes.dropFirst(1_500))]))
    }
  }

  /// Answers a range request with the rest.
  static let rest: ScriptedTransport.Answer = { request in
    let start = try #require(request.headers["range"].flatMap { Int($0.dropFirst("bytes=".count).dropLast()) })
    return HTTPResponse(
      status: 206, headers: ["content-range": "bytes \(start)-4999/5000"], body: HTTPBody(Array(bytes[start...])))
  }

  static func broken(after count: Int) -> ScriptedTransport.Answer {
    { _ in
      HTTPResponse(
        status: 200,
        body: HTTPBody(BrokenBody([Array(bytes.prefix(count))], then: HTTPError(.connectionLost, "It broke."))))
    }
  }

  static let unreachable: ScriptedTransport.Answer = { _ in throw HTTPError(.cannotResolve, "No such host.") }

  let directory: TemporaryDirectory
  init() throws { directory = try TemporaryDirectory() }

  func store(_ answers: [ScriptedTransport.Answer] = [], packages: ScriptedPackages = ScriptedPackages()) -> ModelStore
  {
    ModelStore(directory: directory.path + "/models", transport: ScriptedTransport(answers), packages: packages)
  }

  func content(_ path: String) throws -> [UInt8] { Array(try #require(FileManager.default.contents(atPath: path))) }

  @Test func `a model is fetched from its first source and is present afterwards`() async throws {
    let model = Self.model()
    let packages = ScriptedPackages(Self.parts)
    let store = store([Self.whole()], packages: packages)
    #expect(store.status(of: model) == .missing)
    let path = try await store.pull(model)
    #expect(path == directory.path + "/models/tiny/tiny.gguf")
    #expect(try content(path) == Self.bytes)
    #expect(store.status(of: model) == .present)
    #expect(try await store.file(of: model) == path)
    #expect(packages.fetched.isEmpty)
  }

  @Test func `a present model is not fetched again`() async throws {
    let store = store([Self.whole()])
    try await store.pull(Self.model())
    let events = Locked<[PullEvent]>([])
    try await store.pull(Self.model()) { event in events.withLock { $0.append(event) } }
    #expect(events.withLock { $0 }.isEmpty)
  }

  @Test func `when the first source cannot be reached the packages give the parts in order`() async throws {
    let packages = ScriptedPackages(Self.parts)
    let store = store([Self.unreachable], packages: packages)
    let events = Locked<[PullEvent]>([])
    let path = try await store.pull(Self.model()) { event in events.withLock { $0.append(event) } }
    #expect(try content(path) == Self.bytes)
    #expect(packages.fetched == ["part1", "part2", "part3"])
    let seen = events.withLock { $0 }
    #expect(seen.contains(.sourceFailed(.url(Self.url), reason: "No such host.")))
    #expect(seen.contains(.progress(bytes: 2_000, of: 5_000)))
    #expect(seen.last == .verifying)
  }

  @Test(arguments: [1, 1_999, 2_000, 2_001, 4_999])
  func `a broken download goes on where it stopped`(_ count: Int) async throws {
    let model = Self.model([.url(Self.url)])
    let first = store([Self.broken(after: count), Self.unreachable, Self.unreachable])
    await #expect(throws: ModelStoreError.self) { try await first.pull(model) }
    #expect(first.status(of: model) == .partial(bytes: count))

    let transport = ScriptedTransport([Self.rest])
    let second = ModelStore(directory: first.directory, transport: transport, packages: ScriptedPackages())
    #expect(try content(try await second.pull(model)) == Self.bytes)
    #expect(transport.requests.map { $0.headers["range"] } == ["bytes=\(count)-"])
  }

  @Test func `within one pull a broken download is taken up again`() async throws {
    let store = store([Self.broken(after: 3_000), Self.rest])
    #expect(try content(try await store.pull(Self.model([.url(Self.url)]))) == Self.bytes)
  }

  @Test func `a server without ranges starts over`() async throws {
    let store = store([Self.broken(after: 3_000), Self.whole()])
    #expect(try content(try await store.pull(Self.model([.url(Self.url)]))) == Self.bytes)
  }

  @Test func `what a broken download left serves the packages`() async throws {
    let packages = ScriptedPackages(Self.parts)
    let store = store([Self.broken(after: 2_500), Self.unreachable, Self.unreachable], packages: packages)
    #expect(try content(try await store.pull(Self.model())) == Self.bytes)
    #expect(packages.fetched == ["part2", "part3"])
  }

  @Test func `interrupted packages go on at the part that is missing`() async throws {
    let model = Self.model()
    let first = store([Self.unreachable], packages: ScriptedPackages(["part1": try #require(Self.parts["part1"])]))
    await #expect(throws: ModelStoreError.self) { try await first.pull(model) }
    #expect(first.status(of: model) == .partial(bytes: 2_000))
    let packages = ScriptedPackages(Self.parts)
    let second = ModelStore(directory: first.directory, transport: nil, packages: packages)
    #expect(try content(try await second.pull(model)) == Self.bytes)
    #expect(packages.fetched == ["part2", "part3"])
  }

  @Test func `a wrong beginning left by another source is fetched again once`() async throws {
    let model = Self.model([.url(Self.url)])
    let folder = directory.path + "/models/tiny"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    #expect(
      FileManager.default.createFile(atPath: folder + "/tiny.gguf.partial", contents: Data(repeating: 9, count: 100)))
    let store = store([Self.rest, Self.whole()])
    #expect(try content(try await store.pull(model)) == Self.bytes)
  }

  @Test func `a file with the wrong hash is never used`() async throws {
    var wrong = Self.bytes
    wrong[4_321] ^= 1
    let model = Self.model([.url(Self.url)])
    let store = store([Self.whole(wrong)])
    let error = await #expect(throws: ModelStoreError.self) { try await store.pull(model) }
    #expect(error?.code == .sourceFailed)
    #expect(error?.message.contains("SHA-256") == true)
    #expect(store.status(of: model) == .missing)
  }

  @Test func `when every source fails the error has each reason`() async throws {
    let store = store([{ _ in HTTPResponse(status: 404) }])
    let error = await #expect(throws: ModelStoreError.self) { try await store.pull(Self.model()) }
    #expect(error?.code == .sourceFailed)
    #expect(error?.message.contains("404") == true)
    #expect(error?.message.contains("No matching distribution") == true)
  }

  @Test func `a file that changed after it was verified is hashed again, and refused when it is another`() async throws
  {
    let model = Self.model()
    let store = store([Self.whole()])
    let path = try await store.pull(model)
    var wrong = Self.bytes
    wrong[7] ^= 1
    try Data(wrong).write(to: URL(fileURLWithPath: path), options: .atomic)
    #expect(store.status(of: model) == .unverified)
    let error = await #expect(throws: ModelStoreError.self) { try await store.file(of: model) }
    #expect(error?.code == .wrongHash)
    try Data(Self.bytes).write(to: URL(fileURLWithPath: path), options: .atomic)
    #expect(try await store.file(of: model) == path)
    #expect(store.status(of: model) == .present)
  }

  @Test func `a file of another size is damaged and never overwritten`() async throws {
    let model = Self.model()
    let store = store([Self.whole()])
    let path = try await store.pull(model)
    try Data("precious".utf8).write(to: URL(fileURLWithPath: path))
    #expect(store.status(of: model) == .damaged)
    let error = await #expect(throws: ModelStoreError.self) { try await store.pull(model) }
    #expect(error?.code == .wrongHash)
    #expect(try content(path) == Array("precious".utf8))
  }

  @Test func `two pulls of one model do not write into one file`() async throws {
    let model = Self.model()
    let store = store([Self.whole()])
    try FileManager.default.createDirectory(atPath: directory.path + "/models/tiny", withIntermediateDirectories: true)
    let other = try PartialFile(store.partialPath(of: model))
    let error = await #expect(throws: ModelStoreError.self) { try await store.pull(model) }
    #expect(error?.code == .busy)
    withExtendedLifetime(other) {}
  }

  @Test func `a directory that cannot be written is an error with its path`() async throws {
    try Data().write(to: URL(fileURLWithPath: directory.path + "/models"))
    let store = store([Self.whole()])
    let error = await #expect(throws: ModelStoreError.self) { try await store.pull(Self.model()) }
    #expect(error?.code == .notWritable)
    #expect(error?.message.contains(directory.path) == true)
  }

  @Test func `a cancelled pull keeps what it has`() async throws {
    let model = Self.model([.url(Self.url)])
    let store = store([
      { _ in
        HTTPResponse(
          status: 200, body: HTTPBody(BrokenBody([Array(Self.bytes.prefix(1_234))], then: CancellationError())))
      }
    ])
    await #expect(throws: CancellationError.self) { try await store.pull(model) }
    #expect(store.status(of: model) == .partial(bytes: 1_234))
  }

  @Test func `a name that is neither a model nor a path is refused with the names that are known`() async throws {
    let error = await #expect(throws: ModelStoreError.self) { try await store().choose("gpt-nonsense") }
    #expect(error?.code == .unknownModel)
    #expect(error?.message.contains(KnownModel.standard.name) == true)
  }

  @Test func `a path is taken as it is, and a known model that is not here says how to get it`() async throws {
    #expect(try await store().choose("./my.gguf").path == "./my.gguf")
    let error = await #expect(throws: ModelStoreError.self) { try await store().choose() }
    #expect(error?.code == .notPulled)
    #expect(error?.message.contains("martlet models pull") == true)
  }

  @Test func `the manifest is complete and its parts add up`() {
    for model in KnownModel.all {
      #expect(Digest(hex: model.sha256)?.hex == model.sha256)
      #expect(KnownModel.named(model.name) == model)
      for case .packages(let parts) in model.sources {
        #expect(parts.map(\.size).reduce(0, +) == model.size)
      }
    }
  }
}
