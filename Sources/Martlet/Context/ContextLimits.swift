/// What a loop is told about the place that its requests must fit into. Not a part of the log: it depends on the model in
/// use, which may be another one tomorrow.
public struct ContextLimits: Sendable, Hashable {
  /// Tokens of the window, request and reply together; nil when not known.
  public var window: Int?
  /// What to do about a view that does not fit.
  public var policy: ContextPolicy
  /// Whether results can be kept outside of the view, and read again by the model with `read_file`.
  public var canOffload: Bool
  /// A request of the view at hand, counted exactly.
  var count: TokenEstimator.Count?

  /// Limits.
  public init(window: Int?, policy: ContextPolicy = .automatic, canOffload: Bool = false) {
    self.window = window
    self.policy = policy
    self.canOffload = canOffload
  }

  /// Tokens of the window that are kept free for a reply that may have `output` tokens; at most half of the window, and a
  /// quarter of it where nobody has asked for so much.
  func reserved(for output: Int?) -> Int {
    guard let window else { return output ?? AgentLoop.defaultMaxOutputTokens }
    if let output { return min(output, window / 2) }
    return min(AgentLoop.defaultMaxOutputTokens, window / 4)
  }
}
