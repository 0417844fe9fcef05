import Martlet

/// A service that speaks Chat Completions, with what it does differently: one value for each vendor, which the client
/// reads wherever vendors differ. For one that is not listed start from ``compatible(name:baseURL:)`` and change what
/// needs to be changed.
///
/// What a vendor *sends* differently needs no entry: the client reads every known form from every vendor.
public struct ChatVendor: Sendable, Hashable {
  /// The provider's name in events, options (`name/model`) and block extras.
  public var name: String
  /// Its name in sentences.
  public var title: String
  /// Up to and without `path`.
  public var baseURL: String
  /// Environment variables that may hold the key, in order.
  public var keyVariables: [String]
  /// The model for which only the vendor is named; nil where there is none to name.
  public var defaultModel: String?
  /// What follows the base URL. Default `/chat/completions`.
  public var path = "/chat/completions"
  /// How the key is sent.
  public var authentication = Authentication.bearer
  /// The field for the most tokens that a reply may have.
  public var outputLimitField = "max_completion_tokens"
  /// Whether usage must be asked for with `stream_options`; some refuse that field and send usage anyway.
  public var asksForUsage = true
  /// The role that instructions have.
  public var instructionRole = InstructionRole.system
  /// Which role may follow which.
  public var roleOrder = RoleOrder.free
  /// Which ids calls may have.
  public var callIdRule = CallIdRule.upTo(40)
  /// Whether it takes tools; else calls and results in a history are told as text.
  public var takesTools = true
  /// Which tool choices it takes beside `auto` and `none`; others are left out.
  public var forcedToolChoice = ForcedToolChoice.any
  /// Whether it takes `parallel_tool_calls`.
  public var takesParallelToolCalls = true
  /// Whether it takes `strict` with a tool.
  public var takesStrictTools = false
  /// How typed answers are asked for.
  public var typedAnswers = TypedAnswers.jsonSchema
  /// How hard the model thinks is said so.
  public var thinkingControl = ThinkingControl.effort(off: nil)
  /// Whether the model's reasoning goes back to it.
  public var reasoningReplay = ReasoningReplay.never
  /// The field for the seed of sampling; nil where there is none.
  public var seedField: String? = "seed"
  /// Beginnings of the names of models that refuse sampling parameters.
  public var fixedSamplingModels: [String] = []
  /// What it takes beside text.
  public var media: MediaKinds = [.images]
  /// Whether it takes `prompt_cache_key`, which keeps a session with the cache that knows its beginning.
  public var takesCacheKey = false

  /// How a key is sent.
  public enum Authentication: Sendable, Hashable {
    /// `Authorization: Bearer`.
    case bearer
    /// In a header of this name.
    case header(String)
  }

  /// The role that instructions have.
  public enum InstructionRole: Sendable, Hashable {
    /// `system`.
    case system
    /// `developer` for OpenAI's reasoning models, `system` for all others.
    case developerWhenReasoning
  }

  /// Which role may follow which.
  public enum RoleOrder: Sendable, Hashable {
    /// Any, as long as calls have their results.
    case free
    /// After results the model speaks before the user does, and the last message is the user's or a result.
    case replyAfterResults
    /// User and model take turns, the user first and last.
    case alternating
  }

  /// Which ids calls may have.
  public enum CallIdRule: Sendable, Hashable {
    /// Printable ASCII characters, at most so many.
    case upTo(Int)
    /// Letters and digits, exactly so many.
    case alphanumeric(Int)
  }

  /// Tool choices beside `auto` and `none`.
  public enum ForcedToolChoice: Sendable, Hashable {
    /// Neither.
    case none
    /// `required` alone.
    case required
    /// A tool by its name alone.
    case byName
    /// `required`, and a tool by its name.
    case any
  }

  /// How typed answers are asked for.
  public enum TypedAnswers: Sendable, Hashable {
    /// `response_format` of type `json_schema`.
    case jsonSchema
    /// `response_format` of type `json_object`, and the schema in a message.
    case jsonObject
    /// The schema in a message.
    case message
  }

  /// How hard the model thinks is said so.
  public enum ThinkingControl: Sendable, Hashable {
    /// Not at all: the model decides.
    case none
    /// `reasoning_effort`, with this word for no thinking; nil leaves the field out then.
    case effort(off: String?)
    /// `thinking: {"type": "enabled"}` or `disabled`, and `reasoning_effort` where that is taken too.
    case type(withEffort: Bool)
    /// `enable_thinking`, true or false.
    case flag
    /// `chat_template_kwargs: {"enable_thinking": …}`: servers that run a model's own chat template.
    case template
    /// `reasoning: {"effort": …}`, or `{"enabled": false}`.
    case object
  }

  /// Whether the model's reasoning goes back to it.
  public enum ReasoningReplay: Sendable, Hashable {
    /// It does not.
    case never
    /// In the field that it came in (`reasoning_content`, `reasoning`, `reasoning_details`).
    case sameField
    /// As parts of the content, of type `thinking`.
    case contentParts
  }

  /// Sorts of media.
  public struct MediaKinds: OptionSet, Sendable, Hashable {
    /// One bit for each sort.
    public let rawValue: Int
    /// The sorts of a set of bits.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// Images, as data or by address.
    public static let images = Self(rawValue: 1)
    /// Sound, as data.
    public static let audio = Self(rawValue: 2)
    /// PDF files.
    public static let files = Self(rawValue: 4)
  }

  /// A vendor with the defaults of this type.
  public init(
    name: String, title: String, baseURL: String, keyVariables: [String] = [], defaultModel: String? = nil
  ) {
    self.name = name
    self.title = title
    self.baseURL = baseURL
    self.keyVariables = keyVariables
    self.defaultModel = defaultModel
  }

  /// A server that is not listed: only what nearly all of them take is sent. A base URL without a path gets `/v1`.
  public static func compatible(name: String = "compatible", baseURL: String) -> Self {
    var vendor = Self(name: name, title: "The server", baseURL: BaseURL(baseURL, version: "/v1").url(""))
    vendor.outputLimitField = "max_tokens"
    vendor.takesParallelToolCalls = false
    return vendor
  }
}

extension ChatVendor {
  /// The ids that calls get on the wire.
  var callIds: WireIds {
    switch callIdRule {
    case .upTo(let length): WireIds(isAllowed: { $0 > 0x20 && $0 < 0x7F }, maxLength: length)
    case .alphanumeric(let length): WireIds(isAllowed: \.isASCIILetterOrDigit, maxLength: length, exactLength: length)
    }
  }

  func instructionRole(isReasoning: Bool) -> String {
    switch instructionRole {
    case .system: "system"
    case .developerWhenReasoning: isReasoning ? "developer" : "system"
    }
  }
}

extension UInt8 {
  var isASCIILetterOrDigit: Bool {
    (self | 0x20) &- UInt8(ascii: "a") < 26 || self &- UInt8(ascii: "0") < 10
  }
}
