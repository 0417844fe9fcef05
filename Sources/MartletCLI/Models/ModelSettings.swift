/// How models are reached: what options and configuration say, beyond a model's name.
package struct ModelSettings: Sendable {
  /// The provider that `baseURL` and `keyVariable` are about: the one that `--model` names. Other providers, such as those
  /// of fallbacks, are reached in their own way.
  var provider: String?
  var baseURL: String?
  var keyVariable: String?
  /// What configuration files say, by the provider's name.
  var providers: [String: ProviderSettings] = [:]
  /// Whether on-device models keep what they computed of prompts' beginnings for later runs.
  var keepsPrompts = true

  func settings(of provider: String) -> ProviderSettings {
    var settings = providers[provider] ?? ProviderSettings()
    guard provider == self.provider else { return settings }
    settings.baseURL = baseURL ?? settings.baseURL
    if let keyVariable { (settings.keyVariable, settings.keyFile) = (keyVariable, nil) }
    return settings
  }
}
