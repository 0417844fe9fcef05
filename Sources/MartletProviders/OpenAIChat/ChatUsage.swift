import Martlet
import MartletJSON

/// The counts of Chat Completions in all their places. Each report is the reply's so far, so the last one counts.
struct ChatUsage: Sendable {
  private(set) var neutral = Usage()

  /// Takes a report.
  mutating func take(_ usage: JSONValue) {
    var input = Self.first(usage, ["prompt_tokens", "input_tokens"])
    var output = Self.first(usage, ["completion_tokens", "output_tokens"])
    let details = usage["prompt_tokens_details"] ?? usage["input_tokens_details"]
    let cached =
      details?["cached_tokens"]?.intValue
      ?? Self.first(
        usage, ["prompt_cache_hit_tokens", "cached_tokens", "num_cached_tokens", "cache_read_input_tokens"])
    let cacheWrite =
      details?["cache_write_tokens"]?.intValue ?? usage["cache_creation_input_tokens"]?.intValue ?? 0
    var reasoning =
      (usage["completion_tokens_details"] ?? usage["output_tokens_details"])?["reasoning_tokens"]?.intValue
      ?? usage["reasoning_tokens"]?.intValue ?? 0
    // Some leave reasoning (xAI, Gemini) or cached tokens out of the parts but not out of the total.
    let (sum, overflow) = input.addingReportingOverflow(output)
    let total = usage["total_tokens"]?.intValue ?? 0
    if !overflow, total > sum, sum >= 0 {
      let rest = total - sum
      if rest == cached, reasoning == 0 {
        input += rest
      } else {
        output += rest
        reasoning = max(reasoning, rest)
      }
    }
    neutral = Usage(
      input: max(0, input), cachedInput: min(max(0, cached), max(0, input)),
      cacheWrite: min(max(0, cacheWrite), max(0, input)), output: max(0, output),
      reasoning: min(max(0, reasoning), max(0, output)))
  }

  private static func first(_ usage: JSONValue, _ keys: [String]) -> Int {
    keys.lazy.compactMap { usage[$0]?.intValue }.first ?? 0
  }

  /// The report that llama.cpp's timings stand for.
  static func usage(timings: JSONValue) -> JSONValue {
    let cached = timings["cache_n"]?.intValue ?? 0
    let prompt = (timings["prompt_n"]?.intValue ?? 0) &+ cached
    return [
      "prompt_tokens": .number(JSONNumber(prompt)), "cached_tokens": .number(JSONNumber(cached)),
      "completion_tokens": .number(JSONNumber(timings["predicted_n"]?.intValue ?? 0)),
    ]
  }
}
