/// What one revision of the protocol lays down. All that differs between revisions stands in this table and nowhere else.
struct RevisionFacts: Sendable {
  /// What `structuredContent` may be.
  enum StructuredContent { case absent, object, anyValue }
  /// Who hosts tasks, and how.
  enum Tasks { case absent, core, `extension` }
  /// How the level of log messages is set.
  enum LogLevel { case byRequest, withEachRequest }
  /// What ends a request early over HTTP.
  enum HTTPCancellation { case notification, closedStream }

  let era: MCPEra
  /// Whether an array of messages may arrive.
  let takesBatches: Bool
  /// The kinds of content blocks that a peer of this revision knows.
  let contentKinds: Set<MCPContent.Kind>
  let structuredContent: StructuredContent
  /// Modes of `elicitation/create`.
  let elicitationModes: Set<MCPElicitationMode>
  /// Whether sampling may offer tools.
  let samplesWithTools: Bool
  let tasks: Tasks
  /// Whether completion has a capability of its own.
  let hasCompletionCapability: Bool
  /// Whether completion is told the arguments that are known already.
  let completesInContext: Bool
  let logLevel: LogLevel
  /// What a resource that does not exist is answered with.
  let resourceNotFound: MCPErrorCode
  /// Whether arguments that do not fit are a result that the model reads, not an error of the protocol.
  let badArgumentsAreResults: Bool
  /// Whether the version goes into a header of each HTTP request.
  let hasVersionHeader: Bool
  /// Whether there is a stream over HTTP for what the server says unasked.
  let hasStandingStream: Bool
  /// Whether a stream over HTTP begins with an event that only has an id, so that it can be taken up again.
  let primesStreams: Bool
  let httpCancellation: HTTPCancellation

  /// Whether `initialize` settles revision and capabilities; otherwise each request names them.
  var hasHandshake: Bool { era == .legacy }
  /// Whether there is `ping`.
  var hasPing: Bool { era == .legacy }
  /// Whether HTTP has sessions, and streams that can be taken up again.
  var hasHTTPSessions: Bool { era == .legacy }
  /// Whether changes are asked for by a request that stays open; otherwise they are told unasked or by subscription.
  var listensByRequest: Bool { era == .modern }
  /// Whether clients declare extensions.
  var hasExtensions: Bool { era == .modern }
  /// Whether an error says which capability of the client is missing.
  var namesMissingCapabilities: Bool { era == .modern }
  /// Whether the server may send requests of its own; otherwise it asks in its results.
  var serverAsks: Bool { era == .legacy }
  /// Whether results carry `resultType`, lists and reads `ttlMs` and `cacheScope`.
  var marksResults: Bool { era == .modern }
  /// Whether HTTP requests repeat method, name and marked arguments as headers.
  var mirrorsHeaders: Bool { era == .modern }
}

extension MCPRevision {
  var facts: RevisionFacts {
    switch self {
    case .november2024: .november2024
    case .march2025: .march2025
    case .june2025: .june2025
    case .november2025: .november2025
    case .july2026: .july2026
    }
  }
}

extension RevisionFacts {
  fileprivate static let november2024 = RevisionFacts(
    era: .legacy, takesBatches: false, contentKinds: [.text, .image, .resource], structuredContent: .absent,
    elicitationModes: [], samplesWithTools: false, tasks: .absent, hasCompletionCapability: false,
    completesInContext: false,
    logLevel: .byRequest, resourceNotFound: .legacyResourceNotFound, badArgumentsAreResults: false,
    hasVersionHeader: false, hasStandingStream: false, primesStreams: false, httpCancellation: .notification)

  fileprivate static let march2025 = RevisionFacts(
    era: .legacy, takesBatches: true, contentKinds: [.text, .image, .audio, .resource], structuredContent: .absent,
    elicitationModes: [], samplesWithTools: false, tasks: .absent, hasCompletionCapability: true,
    completesInContext: false,
    logLevel: .byRequest, resourceNotFound: .legacyResourceNotFound, badArgumentsAreResults: false,
    hasVersionHeader: false, hasStandingStream: true, primesStreams: false, httpCancellation: .notification)

  fileprivate static let june2025 = RevisionFacts(
    era: .legacy, takesBatches: false, contentKinds: [.text, .image, .audio, .resourceLink, .resource],
    structuredContent: .object, elicitationModes: [.form], samplesWithTools: false, tasks: .absent,
    hasCompletionCapability: true, completesInContext: true, logLevel: .byRequest,
    resourceNotFound: .legacyResourceNotFound,
    badArgumentsAreResults: false, hasVersionHeader: true, hasStandingStream: true, primesStreams: false,
    httpCancellation: .notification)

  fileprivate static let november2025 = RevisionFacts(
    era: .legacy, takesBatches: false,
    contentKinds: [.text, .image, .audio, .resourceLink, .resource, .toolUse, .toolResult],
    structuredContent: .object, elicitationModes: [.form, .url], samplesWithTools: true, tasks: .core,
    hasCompletionCapability: true, completesInContext: true, logLevel: .byRequest,
    resourceNotFound: .legacyResourceNotFound,
    badArgumentsAreResults: true, hasVersionHeader: true, hasStandingStream: true, primesStreams: true,
    httpCancellation: .notification)

  fileprivate static let july2026 = RevisionFacts(
    era: .modern, takesBatches: false,
    contentKinds: [.text, .image, .audio, .resourceLink, .resource, .toolUse, .toolResult],
    structuredContent: .anyValue, elicitationModes: [.form, .url], samplesWithTools: true, tasks: .extension,
    hasCompletionCapability: true, completesInContext: true, logLevel: .withEachRequest,
    resourceNotFound: .invalidParams,
    badArgumentsAreResults: true, hasVersionHeader: true, hasStandingStream: false, primesStreams: false,
    httpCancellation: .closedStream)
}
