/// How a family of models marks who speaks.
package enum ChatFormat: String, Sendable, Hashable, CaseIterable {
  /// Qwen, SmolLM2, Hermes and many others.
  case chatML = "chatml"
  case llama3
  case gemma
  case mistral
  case phi3
  case phi4
  /// No format is known: roles as words, a line each.
  case plain

  /// A turn of a conversation. Consecutive turns of one speaker are one.
  struct Turn: Sendable, Hashable {
    enum Speaker: Sendable, Hashable { case system, user, assistant }
    var speaker: Speaker
    var text: String
  }

  /// The format that a model file's own template shows, or the usual one of its architecture.
  package static func detect(template: String?, architecture: String?) -> ChatFormat {
    if let template {
      if template.contains("<|im_sep|>") { return .phi4 }
      if template.contains("<|im_start|>") { return .chatML }
      if template.contains("<|start_header_id|>") { return .llama3 }
      if template.contains("<start_of_turn>") { return .gemma }
      if template.contains("[INST]") { return .mistral }
      if template.contains("<|assistant|>") && template.contains("<|end|>") { return .phi3 }
      return .plain
    }
    let usual: [(String, ChatFormat)] = [
      ("qwen", .chatML), ("gemma", .gemma), ("mistral", .mistral), ("phi3", .phi3),
    ]
    return usual.first { architecture?.hasPrefix($0.0) == true }?.1 ?? .plain
  }

  /// The prompt of a conversation up to where the assistant speaks next.
  func render(_ turns: [Turn]) -> [PromptPiece] {
    var turns = Self.joined(turns)
    if (self == .gemma || self == .mistral), let first = turns.first, first.speaker == .system {
      // No system role: what it says goes before the first thing the user says.
      turns.removeFirst()
      if turns.first?.speaker == .user {
        turns[0].text = first.text + "\n\n" + turns[0].text
      } else {
        turns.insert(Turn(speaker: .user, text: first.text), at: 0)
      }
    }
    var pieces: [PromptPiece] = []
    for turn in turns {
      let (open, close) = marks(turn.speaker)
      pieces += [.markup(open), .text(turn.text), .markup(close)]
    }
    let open = marks(.assistant).open
    if !open.isEmpty { pieces.append(.markup(open)) }
    return pieces
  }

  private static func joined(_ turns: [Turn]) -> [Turn] {
    var result: [Turn] = []
    for turn in turns where !turn.text.isEmpty {
      if let last = result.last, last.speaker == turn.speaker {
        result[result.count - 1].text = last.text + "\n\n" + turn.text
      } else {
        result.append(turn)
      }
    }
    return result
  }

  private func marks(_ speaker: Turn.Speaker) -> (open: String, close: String) {
    let name =
      switch speaker {
      case .system: "system"
      case .user: "user"
      case .assistant: self == .gemma ? "model" : "assistant"
      }
    return switch self {
    case .chatML: ("<|im_start|>\(name)\n", "<|im_end|>\n")
    case .llama3: ("<|start_header_id|>\(name)<|end_header_id|>\n\n", "<|eot_id|>")
    case .gemma: ("<start_of_turn>\(name)\n", "<end_of_turn>\n")
    case .mistral: speaker == .assistant ? ("", "</s>") : ("[INST] ", " [/INST]")
    case .phi3: ("<|\(name)|>\n", "<|end|>\n")
    case .phi4: ("<|im_start|>\(name)<|im_sep|>", "<|im_end|>")
    case .plain: ("\(name): ", "\n")
    }
  }

  /// Texts that end a reply, beside the tokens that the model itself marks as ends.
  package var stops: [String] {
    switch self {
    case .chatML: ["<|im_end|>", "<|im_start|>"]
    case .llama3: ["<|eot_id|>", "<|start_header_id|>"]
    case .gemma: ["<end_of_turn>", "<start_of_turn>"]
    case .mistral: ["</s>", "[INST]"]
    case .phi3: ["<|end|>", "<|user|>"]
    case .phi4: ["<|im_end|>", "<|im_start|>"]
    case .plain: ["\nuser:", "\nsystem:"]
    }
  }
}
