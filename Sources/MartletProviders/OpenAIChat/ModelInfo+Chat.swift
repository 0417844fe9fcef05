import Martlet
import MartletJSON

extension ModelInfo {
  /// An entry of a list of models. The protocol has the id alone; limits and prices are where each vendor put them.
  init?(chat entry: JSONValue, provider: String) {
    guard let id = entry["id"]?.stringValue ?? entry["name"]?.stringValue ?? entry.stringValue else { return nil }
    let window = [
      "context_length", "context_window", "max_context_length", "max_model_len", "context_size", "max_input_tokens",
    ].lazy.compactMap { entry[$0]?.intValue }.first
    let output =
      ["max_completion_tokens", "max_output_tokens", "max_output_length"].lazy.compactMap { entry[$0]?.intValue }.first
      ?? entry["top_provider"]?["max_completion_tokens"]?.intValue
    self.init(
      provider: provider, id: id, contextWindow: window ?? entry["meta"]?["n_ctx"]?.intValue, maxOutputTokens: output,
      price: Price(chat: entry["pricing"]))
  }
}

extension ModelInfo.Price {
  /// OpenRouter's prices: USD for one token, as text.
  init?(chat pricing: JSONValue?) {
    func million(_ key: String) -> Double? {
      pricing?[key]?.stringValue.flatMap { Double($0) }.flatMap { $0.isFinite && $0 >= 0 ? $0 * 1_000_000 : nil }
    }
    guard let input = million("prompt"), let output = million("completion") else { return nil }
    self.init(
      input: input, cachedInput: million("input_cache_read") ?? input,
      cacheWrite: million("input_cache_write") ?? input, output: output)
  }
}
