/// How a server of a pool is.
public struct MCPServerStatus: Sendable, Hashable {
  /// What state it is in.
  public enum State: Sendable, Hashable {
    /// The user has switched it off.
    case disabled
    /// Nobody has asked for it yet.
    case idle
    /// It is being reached.
    case starting
    /// It answers.
    case ready(MCPServerInfo)
    /// It answered and does no more; the next call starts it again.
    case lost(MCPError)
    /// It could not be reached.
    case failed(MCPError)
  }

  /// The name in the configuration.
  public var name: String
  /// The program or the address, without what may be secret.
  public var place: String
  /// What state it is in.
  public var state: State
  /// How many tools it has that can be used.
  public var toolCount: Int
  /// Tools that are left out, and why.
  public var problems: [String]

  /// Why it cannot be used; nil when nothing is wrong.
  public var error: MCPError? {
    switch state {
    case .lost(let error), .failed(let error): error
    case .disabled, .idle, .starting, .ready: nil
    }
  }
}
