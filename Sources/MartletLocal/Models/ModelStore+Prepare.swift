import MartletJSON

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A second form of a model's file that the processor computes faster with, beside the file as it was fetched.
///
/// On x86-64 five-bit weights are widened to eight bits, without loss (`WeightWidening`): measured to help there, see
/// `docs/on-device.md`.
extension ModelStore {
  /// Of what the store writes, to know files that an older version made.
  private static let preparation = 1
  /// Bytes that stay free on the disk.
  private static let margin = 64 << 20

  nonisolated func preparedPath(of model: KnownModel) -> String { path(of: model) + ".wide" }
  private nonisolated func preparedStampPath(of model: KnownModel) -> String { preparedPath(of: model) + ".made" }
  private nonisolated func preparingPath(of model: KnownModel) -> String { preparedPath(of: model) + ".partial" }

  /// The prepared file of a model, if it was made of the file that is here and neither has changed since.
  public nonisolated func preparedFile(of model: KnownModel) -> String? {
    let path = preparedPath(of: model)
    guard status(of: model) == .present,
      let kept = FileManager.default.contents(atPath: preparedStampPath(of: model)),
      let json = try? JSONValue(parsing: Array(kept)),
      json["preparation"]?.intValue == Self.preparation,
      let source = json["source"].flatMap(ModelFileStamp.init(kept:)),
      source == ModelFileStamp(of: self.path(of: model), sha256: model.sha256),
      let result = json["result"].flatMap(ModelFileStamp.init(kept:)), result == ModelFileStamp(of: path, sha256: "")
    else { return nil }
    return path
  }

  /// The file to open for a model: the prepared one where preparing pays, which is made first if need be (that writes
  /// more than half a gigabyte), or the one that was fetched.
  ///
  /// An interrupted preparation starts again the next time. Where it cannot be done (no space, no permission, another
  /// process is at it) the reason is reported and the fetched file serves.
  /// - Parameter report: called from the store, `progress` about every mebibyte.
  /// - Throws: as `file(of:)`; `CancellationError`.
  public func prepare(_ model: KnownModel, report: @Sendable (PrepareEvent) -> Void = { _ in }) throws -> String {
    let path = try file(of: model)
    #if arch(x86_64)
      if let prepared = preparedFile(of: model) { return prepared }
      do {
        return try widen(model, report: report) ?? path
      } catch let error as ModelStoreError {
        report(.skipped(reason: Self.reason(error, model)))
      } catch let error as GGUFError {
        report(.skipped(reason: "The file \(path) cannot be read as a GGUF file: \(error)."))
      }
    #endif
    return path
  }

  private static func reason(_ error: ModelStoreError, _ model: KnownModel) -> String {
    switch error.code {
    case .busy: "Another process is preparing \(model.name); until it has finished the model runs slower."
    case .noSpace:
      "There is no room to prepare \(model.name) for this processor; free some space, until then it runs slower."
    default: error.message
    }
  }

  /// Makes the wide file; `nil` where that would not pay.
  func widen(_ model: KnownModel, report: @Sendable (PrepareEvent) -> Void) throws -> String? {
    let path = path(of: model)
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw PartialFile.failure("read", path) }
    defer { close(descriptor) }
    let source: GGUFCursor.Source = { offset, buffer in
      while true {
        let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
        if count < 0 && errno == EINTR { continue }
        guard count >= 0 else { throw PartialFile.failure("read", path) }
        return count
      }
    }
    var cursor = GGUFCursor(size: model.size, source: source)
    let widening = WeightWidening(try GGUFHeader(&cursor))
    guard widening.isWorthwhile else { return nil }
    let folder = "\(directory)/\(model.name)"
    let partial = try PartialFile(preparingPath(of: model))
    if let prepared = preparedFile(of: model) { return prepared }  // another process was faster
    var isDone = false
    defer { if !isDone { unlink(partial.path) } }
    removePrepared(model)  // what is there is stale
    try partial.truncate(to: 0)
    let total = widening.size
    if let free = Self.freeBytes(in: folder), free < total + Self.margin {
      throw ModelStoreError(.noSpace, "\((total + Self.margin) >> 20) MiB are needed in \(folder).")
    }
    report(.progress(bytes: 0, of: total))
    var reported = 0
    try widening.write(from: source) { written in
      try Task.checkCancellation()
      guard written - reported >= 1 << 20 || written == total else { return }
      reported = written
      report(.progress(bytes: written, of: total))
    } to: {
      try partial.append($0)
    }
    let prepared = preparedPath(of: model)
    try partial.commit(to: prepared)
    isDone = true
    try rememberPrepared(model)
    return prepared
  }

  private func rememberPrepared(_ model: KnownModel) throws {
    guard let source = ModelFileStamp(of: path(of: model), sha256: model.sha256),
      let result = ModelFileStamp(of: preparedPath(of: model), sha256: "")
    else { return }
    let json: JSONValue = [
      "preparation": JSONValue(Self.preparation), "source": source.json, "result": result.json,
    ]
    guard
      FileManager.default.createFile(
        atPath: preparedStampPath(of: model), contents: Data(json.bytes()), attributes: [.posixPermissions: 0o600])
    else { throw PartialFile.failure("write", preparedStampPath(of: model)) }
  }

  /// Removes what was prepared of a model; not what a process is just writing.
  nonisolated func removePrepared(_ model: KnownModel) {
    for path in [preparedStampPath(of: model), preparedPath(of: model)] { unlink(path) }
  }
}
