public import MartletJSON

/// One way to answer an approval.
public struct ApprovalOption: Sendable, Hashable, JSONConvertible {
  /// The key to press or send.
  public var key: String
  /// What it means.
  public var label: String
  /// The rule it would save; nil when it holds for this call alone.
  public var rule: String?

  /// A way to answer.
  public init(key: String, label: String, rule: String? = nil) {
    self.key = key
    self.label = label
    self.rule = rule
  }

  /// Yes, no, and yes for whatever the call's own rule covers, in each scope in which a rule can be kept.
  static func standard(for call: ToolCall, _ tool: ToolDefinition, scopes: Set<ApprovalScope>) -> [Self] {
    var options = [Self(key: "y", label: "Allow once"), Self(key: "n", label: "Deny")]
    guard let rule = PermissionRule.covering(call, tool)?.text else { return options }
    options.append(Self(key: "a", label: "Allow \(rule) for this session", rule: rule))
    if scopes.contains(.project) {
      options.append(Self(key: "p", label: "Allow \(rule) in this project", rule: rule))
    }
    if scopes.contains(.user) { options.append(Self(key: "u", label: "Allow \(rule) everywhere", rule: rule)) }
    return options
  }

  /// What can be done about a call that must not be repeated and was running when the program ended.
  public static let afterLoss = [
    Self(key: "again", label: "Run it again"), Self(key: "leave", label: "Leave it: its outcome stays unknown"),
  ]

  public init(json: JSONValue) throws {
    let fields = try JSONFields(json)
    self.init(
      key: try fields.string("key"), label: try fields.string("label"), rule: try fields.stringIfPresent("rule"))
  }

  public var json: JSONValue {
    ["key": .string(key), "label": .string(label), "rule": rule.map { .string($0) } ?? .null]
  }
}
