import Martlet

/// What a model can hold and what it costs, as far as it is known.
struct ModelLimits: Sendable, Hashable {
  var contextWindow: Int?
  var maxOutputTokens: Int?
  var price: ModelInfo.Price?
}

extension ModelInfo {
  /// A model's facts: as given, else from the table.
  init(provider: String, id: String, given: ModelLimits) {
    let known = ModelTable.standard.limits(provider: provider, model: id)
    self.init(
      provider: provider, id: id, contextWindow: given.contextWindow ?? known?.contextWindow,
      maxOutputTokens: given.maxOutputTokens ?? known?.maxOutputTokens, price: given.price ?? known?.price)
  }

  /// The output limit of a request that names none.
  var defaultMaxOutputTokens: Int { min(AgentLoop.defaultMaxOutputTokens, maxOutputTokens ?? .max) }
}
