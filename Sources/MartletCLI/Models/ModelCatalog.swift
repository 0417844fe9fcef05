package import Martlet

/// Where models come from.
package protocol ModelCatalog: Sendable {
  /// Opens a model.
  /// - Throws: `CommandFailure` with a sentence for the user.
  func model(named name: String, context: CommandContext) async throws -> any LanguageModel
}
