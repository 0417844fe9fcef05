public import Martlet

/// A model whose service lists the models that it has.
public protocol ModelListing: LanguageModel {
  /// The models, with the limits and prices that the service states; what it does not state is nil or what is known of the
  /// model otherwise.
  /// - Throws: `ModelError`, `CancellationError`.
  func availableModels() async throws -> [ModelInfo]
}

extension Anthropic: ModelListing {}
extension OpenAIResponses: ModelListing {}
extension OpenAIChat: ModelListing {}
extension Gemini: ModelListing {}
extension Ollama: ModelListing {}
