/// What becomes of a conversation that grows too long for its model.
///
/// Whatever the policy: the instructions, the request that is being worked on, open calls and the last round stay as they
/// are; a call is never separated from its result; the log keeps everything; and when a policy does not bring enough,
/// older messages are replaced by a digest that needs no model. `off` alone does nothing.
public struct ContextPolicy: Sendable, Hashable {
  /// The name that `compacted` events carry.
  public var name: String
  /// What is done.
  public var method: Method
  /// The share of the window, less the reply's reservation, from which on something is done. Default 0.9: counts between
  /// replies are estimates.
  public var threshold: Double
  /// The share of the window, less reservation, instructions and tools, that recent messages may take afterwards.
  /// Default 0.3: rare, because every time costs the provider's cache.
  public var keptShare: Double
  /// Compacts at the start of a send when there are more messages than a number, whatever their size.
  public var messageLimit: MessageLimit?
  /// Whether the model gets the tool `search_history` once something was left out. Default true.
  public var offersSearch: Bool

  /// A policy.
  public init(
    name: String, method: Method, threshold: Double = 0.9, keptShare: Double = 0.3, messageLimit: MessageLimit? = nil,
    offersSearch: Bool = true
  ) {
    self.name = name
    self.method = method
    self.threshold = threshold
    self.keptShare = keptShare
    self.messageLimit = messageLimit
    self.offersSearch = offersSearch
  }

  /// What is done with older messages.
  public enum Method: Sendable, Hashable {
    /// A model writes a summary of them.
    case summarize(SummaryStyle)
    /// They go.
    case drop
    /// The results of tools go, but for those of the last rounds; the calls stay.
    case clearResults(keepingRounds: Int)
    /// Results with more than so many bytes of text are kept with the session, and their beginning and end stay.
    case offloadResults(over: Int)
    /// Nothing: a request that does not fit fails.
    case nothing
  }

  /// A number of messages.
  public struct MessageLimit: Sendable, Hashable {
    /// With more messages than this, the conversation is compacted.
    public var over: Int
    /// How many of the last stay. One more where a result would otherwise lose its call.
    public var keep: Int

    /// A limit.
    public init(over: Int, keep: Int) {
      self.over = over
      self.keep = keep
    }
  }

  /// A structured summary, carried forward each time: goal, decisions, facts, open questions, files. The default.
  public static let automatic = Self(name: "summary", method: .summarize(.structured))

  /// With more than 20 messages at the start of a send all but the last 6 are summarized in a few sentences.
  public static let earlierConversation = Self(
    name: "earlier_conversation", method: .summarize(.fewSentences), messageLimit: MessageLimit(over: 20, keep: 6))

  /// Older messages go without a summary.
  public static let slidingWindow = Self(name: "sliding_window", method: .drop, keptShare: 0.6)

  /// Results of tools go, but for those of the last five rounds.
  public static let clearingToolResults = Self(
    name: "clear_tool_results", method: .clearResults(keepingRounds: 5), keptShare: 0.6)

  /// Results over 2 KiB are kept outside of the view, to be read again where they are needed.
  public static let offloadingToolResults = Self(
    name: "offload_tool_results", method: .offloadResults(over: 2_048), keptShare: 0.6)

  /// Nothing is ever changed.
  public static let off = Self(name: "off", method: .nothing)
}

/// How a summary is asked for and how it reads in the conversation.
public struct SummaryStyle: Sendable, Hashable {
  /// What the summarizing model is told.
  public var instructions: String
  /// What stands before the summary.
  public var opening: String
  /// The most tokens of a summary.
  public var maxOutputTokens: Int
  /// Whether lists of the files that were read and changed, taken from the calls, follow it.
  public var listsFiles: Bool

  /// A style.
  public init(instructions: String, opening: String, maxOutputTokens: Int, listsFiles: Bool) {
    self.instructions = instructions
    self.opening = opening
    self.maxOutputTokens = maxOutputTokens
    self.listsFiles = listsFiles
  }

  /// Under headings, for work that goes on.
  public static let structured = Self(
    instructions: """
      You write the notes with which an assistant goes on after the earlier part of its conversation is gone. Use these \
      headings and nothing else; leave out a heading that has nothing under it:
      Goal: what the user wants, and how it has changed.
      Decisions: what was decided, and why.
      Facts: names, numbers, places, results and errors that may be needed again, exactly as they were.
      Done: what has been carried out, so that it is not done again.
      Open: questions and steps that are left.
      If the conversation begins with earlier notes, carry over all of them that still holds. Do not answer the \
      conversation, and do not add anything that is not in it.
      """,
    opening: "The earlier part of this conversation was replaced by these notes.\n\n", maxOutputTokens: 2_048,
    listsFiles: true)

  /// A few sentences, in the words of the policy `earlierConversation`.
  public static let fewSentences = Self(
    instructions:
      "Summarize this conversation in a few sentences. Keep any facts, decisions, or open questions.",
    opening: "Earlier conversation, summarized: ", maxOutputTokens: 512, listsFiles: false)
}
