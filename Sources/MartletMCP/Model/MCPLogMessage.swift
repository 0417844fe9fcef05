public import MartletJSON

/// How much a log message matters, by the eight levels of syslog (RFC 5424).
public enum MCPLogLevel: String, Sendable, Hashable, CaseIterable, Comparable {
  /// Every step.
  case debug
  /// What is worth knowing.
  case info
  /// What is unusual and right.
  case notice
  /// What may go wrong.
  case warning
  /// What went wrong.
  case error
  /// A part has failed.
  case critical
  /// Someone must act now.
  case alert
  /// Nothing works.
  case emergency

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }
}

/// A log message of a server.
public struct MCPLogMessage: MCPObject {
  public var fields: JSONObject
  public init(fields: JSONObject) { self.fields = fields }

  /// A message; `data` is often a text.
  public init(_ level: MCPLogLevel, _ data: JSONValue, logger: String? = nil) {
    fields = JSONObject(present: ["level": .string(level.rawValue), "logger": .text(logger), "data": data])
  }

  /// How much it matters; `info` where the server says something unknown.
  public var level: MCPLogLevel { fields[string: "level"].flatMap(MCPLogLevel.init(rawValue:)) ?? .info }
  /// Which part of the server wrote it.
  public var logger: String? { fields[string: "logger"] }
  /// What it says.
  public var data: JSONValue { fields["data"] ?? .null }
}
