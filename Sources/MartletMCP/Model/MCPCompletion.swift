public import MartletJSON

/// Values that an argument may be completed to.
public struct MCPCompletion: MCPObject {
  /// What has an argument that can be completed.
  public enum Reference: Sendable, Hashable {
    /// A prompt, by name.
    case prompt(String)
    /// A resource template, by its template.
    case resource(String)

    var json: JSONValue {
      switch self {
      case .prompt(let name): ["type": "ref/prompt", "name": .string(name)]
      case .resource(let uri): ["type": "ref/resource", "uri": .string(uri)]
      }
    }

    init?(json: JSONValue?) {
      switch json?["type"]?.stringValue {
      case "ref/prompt":
        guard let name = json?["name"]?.stringValue else { return nil }
        self = .prompt(name)
      case "ref/resource":
        guard let uri = json?["uri"]?.stringValue else { return nil }
        self = .resource(uri)
      default: return nil
      }
    }
  }

  /// The most values that one answer may have.
  public static let limit = 100

  public var fields: JSONObject
  public init(fields: JSONObject) { self.fields = fields }

  /// Completions; of more than ``limit`` values the first are taken.
  public init(_ values: [String], total: Int? = nil, hasMore: Bool? = nil) {
    fields = [:]
    fields[strings: "values"] = Array(values.prefix(Self.limit))
    fields[int: "total"] = total ?? (values.count > Self.limit ? values.count : nil)
    fields[bool: "hasMore"] = hasMore ?? (values.count > Self.limit ? true : nil)
  }

  /// The values, best first.
  public var values: [String] { fields[strings: "values"] }
  /// How many there are in all.
  public var total: Int? { fields[int: "total"] }
  /// Whether there are more.
  public var hasMore: Bool { fields[bool: "hasMore"] ?? false }
}
