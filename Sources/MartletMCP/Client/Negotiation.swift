import MartletJSON

/// How a client finds out which revision a server speaks. Pure: ``next`` says what to do, ``take(_:)`` takes what came of it.
///
/// A server of the modern era answers `server/discover`. One of the legacy era answers it with any error at all, with
/// silence, or by ending: then `initialize` follows, if need be with a new process.
struct Negotiation: Sendable {
  enum Step: Sendable, Hashable {
    case discover(MCPRevision)
    case initialize(MCPRevision)
    /// Close the transport and open it anew.
    case reopen
    /// Let the transport begin anew in its older manner.
    case fallBack
    case agreed(MCPServerInfo)
    case failed(MCPError)
  }

  enum Outcome: Sendable {
    case result(JSONObject)
    case failed(MCPError)
    /// After ``Step/reopen`` and ``Step/fallBack``.
    case reopened
  }

  private(set) var next: Step
  private let choice: MCPClient.Revisions
  /// Whether the request for `server/discover` reached this process of the server, so that it may be confused.
  private var isProbed = false
  private var hasReopened = false
  private var hasFallenBack = false
  private var triedVersions: Set<MCPRevision> = []

  init(_ choice: MCPClient.Revisions) {
    self.choice = choice
    switch choice.value {
    case .automatic, .modern: next = .discover(.latest)
    case .legacy(let revision): next = .initialize(revision)
    }
  }

  mutating func take(_ outcome: Outcome) {
    switch (next, outcome) {
    case (.discover(let revision), .result(let result)): next = discovered(result, trying: revision)
    case (.discover(let revision), .failed(let error)):
      isProbed = true
      next = notDiscovered(error, trying: revision)
    case (.initialize, .result(let result)): next = initialized(result)
    case (.initialize(let revision), .failed(let error)): next = notInitialized(error, trying: revision)
    case (.reopen, .reopened):
      isProbed = false
      hasReopened = true
      next = .initialize(.latestLegacy)
    case (.fallBack, .reopened):
      hasFallenBack = true
      next = .initialize(.ofSeparateStreams)
    case (.reopen, .failed(let error)), (.fallBack, .failed(let error)): next = .failed(error)
    default: break
    }
  }

  private mutating func discovered(_ result: JSONObject, trying revision: MCPRevision) -> Step {
    let offered = result[strings: "supportedVersions"]
    if offered.isEmpty || offered.contains(revision.rawValue) {
      return .agreed(MCPServerInfo(discovered: result, revision: revision))
    }
    return common(offered, after: revision)
  }

  private mutating func notDiscovered(_ error: MCPError, trying revision: MCPRevision) -> Step {
    if let reply = error.reply, reply.code.isModern {
      guard reply.code == .unsupportedRevision else { return .failed(error) }
      return common((reply.data?["supported"]?.arrayValue ?? []).compactMap(\.stringValue), after: revision)
    }
    guard case .automatic = choice.value else { return .failed(error) }
    return switch error.code {
    case .refused, .timedOut, .invalidResponse: .initialize(.latestLegacy)
    // Over HTTP: a server that knows nothing of the request says no in its own way.
    case .httpStatus where (400..<500).contains(error.status ?? 0): .initialize(.latestLegacy)
    case .connectionClosed: .reopen
    default: .failed(error)
    }
  }

  /// Goes on with the newest revision that both have.
  private mutating func common(_ offered: [String], after tried: MCPRevision) -> Step {
    triedVersions.insert(tried)
    let known = offered.compactMap(MCPRevision.init(rawValue:)).filter { !triedVersions.contains($0) }
    if let modern = known.filter({ !$0.facts.hasHandshake }).max() { return .discover(modern) }
    if case .automatic = choice.value, let legacy = known.max() { return .initialize(legacy) }
    return .failed(Self.nothingInCommon(offered))
  }

  private func initialized(_ result: JSONObject) -> Step {
    let version = result[string: "protocolVersion"] ?? ""
    guard let revision = MCPRevision(rawValue: version), revision.facts.hasHandshake else {
      return .failed(Self.nothingInCommon([version]))
    }
    return .agreed(MCPServerInfo(initialized: result, revision: revision))
  }

  private mutating func notInitialized(_ error: MCPError, trying revision: MCPRevision) -> Step {
    switch error.code {
    case .connectionClosed, .timedOut:
      // The probe may have spoilt this process.
      return isProbed && !hasReopened ? .reopen : .failed(error)
    case .refused:
      triedVersions.insert(revision)
      let offered = (error.reply?.data?["supported"]?.arrayValue ?? []).compactMap(\.stringValue)
      let known = offered.compactMap(MCPRevision.init(rawValue:)).filter { !triedVersions.contains($0) }
      if let legacy = known.filter(\.facts.hasHandshake).max() { return .initialize(legacy) }
      return .failed(offered.isEmpty ? error : Self.nothingInCommon(offered))
    // Over HTTP: a server that takes no posts where a later one would.
    case .httpStatus where [400, 404, 405].contains(error.status ?? 0) && !hasFallenBack: return .fallBack
    default: return .failed(error)
    }
  }

  private static func nothingInCommon(_ offered: [String]) -> MCPError {
    let ours = MCPRevision.allCases.map(\.rawValue).joined(separator: ", ")
    // What a peer calls a version is shown only as far as it can be one.
    let theirs = offered.prefix(8).map { String($0.prefix(24).filter { $0.isASCII && !$0.isWhitespace }) }
    return MCPError(
      .unsupportedRevision,
      "the server speaks revision \(theirs.joined(separator: ", ")) of the protocol; known here are \(ours)")
  }
}
