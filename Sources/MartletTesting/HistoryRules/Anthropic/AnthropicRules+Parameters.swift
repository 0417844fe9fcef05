import MartletJSON

extension AnthropicRules {
  static let parameters = [samplingByVersion, samplingByModel]

  private static let sampling = ["temperature", "top_p", "top_k"]

  /// The newest version of the API has no sampling parameters, not even at their defaults.
  static let samplingByVersion = WireRule<AnthropicRequest>(
    "sampling_by_version", source: "Release notes of version 2026-10-21"
  ) { request, rule in
    guard request.isNewVersion else { return [] }
    return sampling.filter { request.json.present($0) != nil }.map {
      invalid(rule, "\($0): Extra inputs are not permitted")
    }
  }

  /// From Claude 4.7 on only the defaults are accepted.
  static let samplingByModel = WireRule<AnthropicRequest>(
    "sampling_by_model", source: "Documentation, migrating to 4.7; wording of the version's rule"
  ) { request, rule in
    guard !request.isNewVersion, !request.profile.acceptsSampling else { return [] }
    return sampling.filter { key in
      guard let value = request.json.present(key) else { return false }
      return key == "top_k" || value.doubleValue != 1
    }.map { invalid(rule, "\($0): Extra inputs are not permitted") }
  }
}
