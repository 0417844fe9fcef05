/// A model file to run, found by what the user said.
public struct ModelChoice: Sendable, Hashable {
  /// The path of the file.
  public let path: String
  /// The known model it is; `nil` for a file by path.
  public let known: KnownModel?
  /// Set when the default model was wanted and is not here, and another runs instead: say so, loudly.
  public let fallbackNotice: String?
}

extension ModelStore {
  /// The file of what the user named: nothing (the default), the name of a known model, or the path of a GGUF file.
  ///
  /// Where the default is not on this machine but the small model is, that is taken, with a notice.
  /// - Throws: as `file(of:)`, and `unknownModel`.
  public func choose(_ reference: String? = nil) throws -> ModelChoice {
    guard let reference, !reference.isEmpty else { return try chooseDefault() }
    if let model = KnownModel.named(reference) {
      return ModelChoice(path: try file(of: model), known: model, fallbackNotice: nil)
    }
    guard reference.contains("/") || reference.hasSuffix(".gguf") else {
      let names = KnownModel.all.map(\.name).joined(separator: ", ")
      throw ModelStoreError(
        .unknownModel,
        "There is no model named \(reference); known are \(names), or give the path of a GGUF file.")
    }
    return ModelChoice(path: reference, known: nil, fallbackNotice: nil)
  }

  private func chooseDefault() throws -> ModelChoice {
    do {
      return ModelChoice(path: try file(of: .standard), known: .standard, fallbackNotice: nil)
    } catch let error as ModelStoreError where error.code == .notPulled {
      guard let path = try? file(of: .small) else { throw error }
      return ModelChoice(
        path: path, known: .small,
        fallbackNotice: "The default model \(KnownModel.standard.name) is not on this machine. Using "
          + "\(KnownModel.small.name) instead, which is too small to call tools reliably; "
          + "run `martlet models pull` when the network can reach the default.")
    }
  }
}
