import Martlet
import MartletHTTP
import MartletProviders

/// A provider of models, as the command line knows it: a row of the table ``ModelProviders``.
struct ModelProvider: Sendable {
  /// What stands before the slash of `--model`.
  let name: String
  /// As people call it.
  let title: String
  /// Environment variables that may hold its key, the usual one first; empty for a provider that wants none.
  let keyVariables: [String]
  /// The model when only the provider is named; nil when one must be.
  let defaultModel: String?
  /// Whether it has no place of its own, as a company's resource at Azure has.
  let needsBaseURL: Bool
  /// Makes a model. Called for the provider in use and no other, so it may cost something.
  let open: @Sendable (ProviderAccess) -> any LanguageModel

  init(
    _ name: String, _ title: String, keyVariables: [String], defaultModel: String? = nil,
    needsBaseURL: Bool = false, open: @escaping @Sendable (ProviderAccess) -> any LanguageModel
  ) {
    self.name = name
    self.title = title
    self.keyVariables = keyVariables
    self.defaultModel = defaultModel
    self.needsBaseURL = needsBaseURL
    self.open = open
  }
}

/// How one model of a provider is reached.
struct ProviderAccess: Sendable {
  let model: String
  let key: APIKey?
  /// Where the API is instead of the provider's own place; without a slash at the end.
  let baseURL: String?
  let transport: any HTTPTransport
}
