public import MartletJSON

/// A call that goes on after the server has answered.
public struct MCPTask: MCPObject {
  /// Where it stands.
  public struct Status: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public var description: String { rawValue }

    /// It goes on.
    public static let working = Self(rawValue: "working")
    /// It waits for input.
    public static let inputRequired = Self(rawValue: "input_required")
    /// It is done; a tool that failed is done too.
    public static let completed = Self(rawValue: "completed")
    /// It broke.
    public static let failed = Self(rawValue: "failed")
    /// It was ended.
    public static let cancelled = Self(rawValue: "cancelled")

    /// Whether nothing changes any more.
    public var isFinal: Bool { self == .completed || self == .failed || self == .cancelled }
  }

  public var fields: JSONObject
  public init(fields: JSONObject) { self.fields = fields }
  public static var requiredStrings: [String] { ["taskId", "status"] }

  /// The id of the task that a call was answered with; nil for any other result.
  static func id(createdBy result: JSONObject) -> String? {
    let task = result[string: "resultType"] == "task" ? result : result[object: "task"]
    return task?[string: "taskId"]
  }

  /// What it is asked about with.
  public var id: String { fields[string: "taskId"] ?? "" }
  /// Where it stands.
  public var status: Status {
    get { Status(rawValue: fields[string: "status"] ?? "") }
    set { fields[string: "status"] = newValue.rawValue }
  }
  /// What is being done.
  public var statusMessage: String? { fields[string: "statusMessage"] }
  /// When it began, as RFC 3339 has it.
  public var createdAt: String? { fields[string: "createdAt"] }
  /// When it last changed.
  public var lastUpdatedAt: String? { fields[string: "lastUpdatedAt"] }
  /// How long the server keeps it; nil for ever, or unknown.
  public var timeToLive: Duration? { fields[milliseconds: "ttlMs"] ?? fields[milliseconds: "ttl"] }
  /// How often to ask.
  public var pollInterval: Duration? { fields[milliseconds: "pollIntervalMs"] ?? fields[milliseconds: "pollInterval"] }
  /// What it asks for, by key.
  public var inputRequests: JSONObject { fields[object: "inputRequests"] ?? [:] }
  /// What came out, of a completed one (extension).
  public var result: JSONObject? { fields[object: "result"] }
  /// Why it broke (extension).
  public var error: MCPErrorObject? { fields["error"].map { MCPErrorObject(json: $0) } }
}
