package import Martlet

/// Where models come from.
package protocol ModelCatalog: Sendable {
  /// Opens a model.
  /// - Throws: `CommandFailure` with a sentence for the user.
  func model(named name: String, settings: ModelSettings, context: CommandContext) async throws -> any LanguageModel

  /// A model to turn to when another one fails; may be opened only then. Default: `model(named:settings:context:)`.
  func fallback(named name: String, settings: ModelSettings, context: CommandContext) async throws -> any LanguageModel

  /// Where tasks that use a model run best; nil for the shared pool. Default: nil.
  func executor(for name: String) -> (any PreferredExecutor)?

  /// Whether the model is reached through a transport, so that its exchanges are recorded there. Default: false.
  func usesTransport(_ name: String) throws -> Bool
}

extension ModelCatalog {
  package func executor(for name: String) -> (any PreferredExecutor)? { nil }

  package func usesTransport(_ name: String) throws -> Bool { false }

  package func fallback(
    named name: String, settings: ModelSettings, context: CommandContext
  ) async throws -> any LanguageModel {
    try await model(named: name, settings: settings, context: context)
  }
}
