/// What went wrong in the on-device engine.
public struct EngineError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure; more may be added.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Value: String {
      case modelNotFound = "model_not_found"
      case modelUnreadable = "model_unreadable"
      case notAModel = "not_a_model"
      case modelUnsupported = "model_unsupported"
      case notEnoughMemory = "not_enough_memory"
      case contextOverflow = "context_overflow"
      case badGrammar = "bad_grammar"
      case grammarStuck = "grammar_stuck"
      case closed
      case failed
    }

    private let value: Value

    /// No file is at the path.
    public static let modelNotFound = Self(value: .modelNotFound)
    /// The file cannot be opened or read.
    public static let modelUnreadable = Self(value: .modelUnreadable)
    /// The file is not in the GGUF format.
    public static let notAModel = Self(value: .notAModel)
    /// The file is a GGUF file that the engine cannot load: cut short, damaged, or of an unknown architecture.
    public static let modelUnsupported = Self(value: .modelUnsupported)
    /// The machine has less free memory than the model and its context need.
    public static let notEnoughMemory = Self(value: .notEnoughMemory)
    /// The prompt, or the prompt and the reply, is longer than the context.
    public static let contextOverflow = Self(value: .contextOverflow)
    /// The grammar could not be parsed.
    public static let badGrammar = Self(value: .badGrammar)
    /// The grammar allows no token of the vocabulary.
    public static let grammarStuck = Self(value: .grammarStuck)
    /// The engine was closed.
    public static let closed = Self(value: .closed)
    /// The engine failed for a reason it does not tell.
    public static let failed = Self(value: .failed)

    public var description: String { value.rawValue }
  }

  /// What kind of failure.
  public let code: Code
  /// One sentence: the reason and what to do. Never holds a prompt.
  public let message: String
  /// With `contextOverflow`: how many tokens were asked for.
  public let tokens: Int?
  /// With `contextOverflow`: how many tokens the context holds.
  public let capacity: Int?

  package init(_ code: Code, _ message: String, tokens: Int? = nil, capacity: Int? = nil) {
    self.code = code
    self.message = message
    self.tokens = tokens
    self.capacity = capacity
  }

  package static func contextOverflow(tokens: Int, capacity: Int) -> Self {
    Self(
      .contextOverflow,
      "The conversation needs \(tokens) tokens and the model's context holds \(capacity); "
        + "shorten it or open the model with a larger context.", tokens: tokens, capacity: capacity)
  }

  public var description: String { message }
}
