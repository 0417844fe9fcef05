/// A revision of the Model Context Protocol, by the date that names it.
public enum MCPRevision: String, Sendable, Hashable, CaseIterable, Comparable, CustomStringConvertible {
  /// The first public one: standard streams, and HTTP with two endpoints.
  case november2024 = "2024-11-05"
  /// Streamable HTTP, OAuth, batches, tool annotations, audio.
  case march2025 = "2025-03-26"
  /// Structured tool output, elicitation, resource links, titles.
  case june2025 = "2025-06-18"
  /// Icons, elicitation by URL, sampling with tools, experimental tasks.
  case november2025 = "2025-11-25"
  /// Stateless: no handshake, no sessions, every request describes itself.
  case july2026 = "2026-07-28"

  /// The newest one.
  public static let latest = july2026
  /// The newest one that begins with `initialize`.
  public static let latestLegacy = november2025

  /// The one of servers over HTTP that have a stream and another address for what the client says.
  static let ofSeparateStreams = november2024
  /// The one of HTTP requests that name none, as the specification has it.
  static let ofUnnamedRequests = march2025

  /// Whether requests describe themselves (`modern`), or a handshake settles everything (`legacy`).
  public var era: MCPEra { facts.era }

  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  public var description: String { rawValue }
}

/// How two peers come to terms.
public enum MCPEra: String, Sendable, Hashable {
  /// By `initialize`, once for a connection.
  case legacy
  /// By `_meta` in every request.
  case modern
}
