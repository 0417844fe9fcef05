import Martlet

/// The words for why a reply ended, of OpenAI and of those who speak its protocol with words of their own.
enum ChatStop {
  private static let words: [String: StopReason] = [
    "stop": .endTurn, "eos": .endTurn, "eos_token": .endTurn, "end_turn": .endTurn, "complete": .endTurn,
    "completed": .endTurn, "COMPLETE": .endTurn, "STOP": .endTurn, "length": .maxTokens, "max_tokens": .maxTokens,
    "MAX_TOKENS": .maxTokens, "model_length": .contextWindowExceeded, "tool_calls": .toolUse,
    "function_call": .toolUse, "tool_use": .toolUse, "TOOL_CALL": .toolUse, "stop_sequence": .stopSequence,
    "content_filter": .contentFilter, "safety": .contentFilter, "SAFETY": .contentFilter,
    "sensitive": .contentFilter, "RECITATION": .contentFilter, "PROHIBITED_CONTENT": .contentFilter,
    "refusal": .refusal,
  ]

  /// Words that say that the reply failed.
  private static let failures: [String: ModelError.Code] = [
    "error": .serverError, "ERROR": .serverError, "network_error": .serverError, "abort": .truncatedStream,
    "insufficient_system_resource": .overloaded,
  ]

  /// The failure that a word stands for.
  static func failure(_ word: String) -> ModelError.Code? { failures[word] }

  /// The neutral reason. Servers say that a reply ended though it asks for tools, and the other way round: the calls
  /// decide.
  static func reason(_ word: String, hasCalls: Bool, isRefusal: Bool) -> StopReason {
    let reason = word.isEmpty ? .endTurn : words[word] ?? StopReason(rawValue: word)
    switch reason {
    case .endTurn, .stopSequence, .toolUse:
      if hasCalls { return .toolUse }
      if isRefusal { return .refusal }
      return reason == .toolUse ? .endTurn : reason
    default: return reason
    }
  }
}
