public import MartletJSON

/// How an agent works.
public struct AgentConfiguration: Sendable {
  /// What the model is told before the conversation; empty for nothing. Read when an epoch starts.
  public var instructions: String
  /// What else belongs into the instructions and may change while a session lives, such as memory and skills. Read when an
  /// epoch starts; what changes later is told with the next prompt. Default: none.
  public var sources: [any ContextSource] = []
  /// How the model should answer.
  public var options: ModelOptions
  /// What each run may use. Default: 5 iterations, nothing else limited.
  public var budget: Budget
  /// How many tools run at once. Default 4.
  public var toolConcurrency: Int
  /// How long one tool call may take, where the tool does not say. Default 120 s.
  public var toolTimeout: Duration
  /// How long a tool may take to stop when told to, before it is abandoned. Default 5 s.
  public var cancellationGrace: Duration
  /// UTF-8 bytes of a tool's text that go into the context; the rest is cut, with a notice. Default 32 KiB.
  public var toolResultLimit: Int
  /// How often a failed model call is tried again. Default 2.
  public var retries: Int
  /// Models to turn to, in order, when the agent's own gives no reply: after the retries of a failure that may pass, at
  /// once after one that will not. Only before anything of the reply has come. A run stays with the model it turned to; the
  /// next run begins with the agent's own. Default: none.
  public var fallbacks: [any LanguageModel]
  /// The form of a typed answer; nil for free text.
  public var outputSchema: JSONValue?
  /// Which calls run without asking, which are asked about, which never run. Default: tools that need permission are asked
  /// about. Rules hold for parked calls too: one that covers such a call answers it when the run goes on.
  public var approval = ApprovalPolicy()
  /// Who is asked; nil parks the run until somebody answers.
  public var approver: (any Approver)?
  /// Who gives what calls ask for (``InputNeeded``); nil parks the run until somebody does.
  public var inputProvider: (any InputProvider)?
  /// Where rules are kept that hold for a project or a user. Nil: an answer holds for its session at most.
  public var permissionStore: (any PermissionStore)?
  /// Whether `resume` asks before it gives up calls that must not be repeated and were running when the program ended:
  /// the approver, or whoever answers the approval, may have them run again. Default false: their outcome is reported to
  /// the model as unknown.
  public var asksAboutLostCalls = false
  /// What is done about a conversation that grows too long for its model. Default: a structured summary, once a request
  /// would not fit; the log keeps everything.
  public var contextPolicy = ContextPolicy.automatic
  /// Who writes summaries; nil for the agent's own model. A cheaper one will do.
  public var compactionModel: (any LanguageModel)?
  /// What the agent owns: `close()` ends it, after the run. A fork uses it too, and does not own it. Default: nothing.
  public var resources: [any AgentResource] = []
  /// The user, for tools that want to know.
  public var user: String?
  /// The user's locale, for tools, as "de_DE".
  public var locale: String
  /// The user's time zone, for tools, as "Europe/Oslo".
  public var timeZone: String
  /// The directory where relative paths start, for tools.
  public var workingDirectory: String

  /// A configuration; every argument has a default.
  public init(
    instructions: String = "", options: ModelOptions = ModelOptions(), budget: Budget = Budget(),
    toolConcurrency: Int = 4, toolTimeout: Duration = .seconds(120), cancellationGrace: Duration = .seconds(5),
    toolResultLimit: Int = 32 * 1024, retries: Int = 2, fallbacks: [any LanguageModel] = [],
    outputSchema: JSONValue? = nil,
    approver: (any Approver)? = nil, user: String? = nil, locale: String = HostSettings.locale,
    timeZone: String = HostSettings.timeZone, workingDirectory: String = "."
  ) {
    self.instructions = instructions
    self.options = options
    self.budget = budget
    self.toolConcurrency = toolConcurrency
    self.toolTimeout = toolTimeout
    self.cancellationGrace = cancellationGrace
    self.toolResultLimit = toolResultLimit
    self.retries = retries
    self.fallbacks = fallbacks
    self.outputSchema = outputSchema
    self.approver = approver
    self.user = user
    self.locale = locale
    self.timeZone = timeZone
    self.workingDirectory = workingDirectory
  }
}
