public import MartletJSON

/// A recording that was read: everything a run took from the world, in order, and the durable events that came of it.
///
/// Lines of kinds that this version does not know are passed over. A last line that is not whole was being written when
/// the recorded program ended; one before it that cannot be read is an error.
public struct Recording: Sendable {
  /// What was given to the recorder as settings.
  public private(set) var settings: JSONObject = [:]
  /// When the recording began.
  public private(set) var time = Timestamp(milliseconds: 0)
  /// Whether the recording was ended, and not cut off with its program.
  public private(set) var isComplete = false
  /// The sessions of the recording, in the order they began in. Children come after their parents.
  public private(set) var sessions: [String] = []
  /// The models that replied event by event.
  public private(set) var models: [ModelInfo] = []

  private(set) var tracks: [String: Track] = [:]
  private(set) var ids: [String] = []
  private(set) var callIds: [String] = []
  private(set) var randoms: [Double] = []
  private(set) var replies: [Reply] = []
  private(set) var readings: [String: [ContextReading]] = [:]
  private(set) var news: [String: [ContextNews]] = [:]
  /// Tokens of requests, as a model counted them, by what tells a request apart.
  private(set) var tokenCounts: [String: Int] = [:]
  private(set) var decisions: [String: RecordedDecision] = [:]
  /// How each run of a call ended: it runs again once it has what it asked for. Nil of one that was cut off.
  private(set) var tools: [CallKey: [ToolEnd?]] = [:]
  /// Other programs' tools, by session, whenever they changed.
  private(set) var offers: [String: [RecordedOffer]] = [:]
  private(set) var deadlines: [CallKey: Set<ScriptDeadline>] = [:]
  /// The exchanges over HTTP, in the order of their requests.
  package private(set) var exchanges: [Exchange] = []
  private var positions: [Int: Int] = [:]

  /// One session of a recording.
  struct Track: Sendable {
    var owner: String
    var keepsBlobs: Bool
    /// Who had the session before, each time it was taken.
    var previousHolders: [String?]
    /// Numbers of records that others wrote while nobody here had the session.
    var foreign: Set<Int> = []
    /// The records that the session had before.
    var prior: [EventRecord] = []
    /// The recorded ones.
    var events: [EventRecord] = []
  }

  /// A tool call.
  struct CallKey: Hashable, Sendable {
    var session: String
    var callId: String
  }

  enum ToolEnd: Sendable {
    case output(ToolOutput)
    case failure(RecordedFailure)
  }

  /// A reply that was recorded event by event.
  struct Reply: Sendable {
    var number: Int
    var model: ModelInfo
    var messages: Int
    var hash: String
    var batches: [[ModelEvent]] = []
    var hasEnded = false
    var failure: RecordedFailure?
  }

  /// One exchange over HTTP.
  package struct Exchange: Sendable {
    var number: Int
    package var method: String
    package var url: String
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]
    /// Nil where no response came.
    package var status: Int?
    package var responseHeaders: [(name: String, value: String)] = []
    package var chunks: [[UInt8]] = []
    package var hasEnded = false
    package var failure: RecordedFailure?
  }

  /// The durable events of the recording's first session, in order, as they are recorded.
  public var events: [EventRecord] { sessions.first.flatMap { tracks[$0]?.events } ?? [] }

  /// Reads a file.
  /// - Throws: `RecordingError` with `.storage`, `.damaged` or `.tooNew`.
  public init(path: String) throws {
    let bytes: [UInt8]
    do {
      let file = try StorageFile(path)
      bytes = try file.read(0..<(try file.size))
    } catch {
      throw RecordingError(.storage, "the recording \(path) cannot be read: \(error)", underlying: error)
    }
    try self.init(parsing: bytes)
  }

  /// Reads the bytes of a file.
  public init(parsing bytes: [UInt8]) throws {
    var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)[...]
    // What follows the last line break is nothing, or was cut off.
    if !lines.isEmpty { lines.removeLast() }
    guard let head = lines.popFirst() else { throw Self.notARecording(nil) }
    try readHead(head)
    for (index, line) in lines.enumerated() {
      do {
        try read(JSONFields(try JSONValue(parsing: line)))
      } catch {
        throw RecordingError(
          .damaged, "line \(index + 2) of the recording cannot be read: \(error)", underlying: error)
      }
    }
  }

  private static func notARecording(_ error: (any Error)?) -> RecordingError {
    RecordingError(.damaged, "this is no recording: its first line is not that of one", underlying: error)
  }

  private mutating func readHead(_ line: ArraySlice<UInt8>) throws {
    let version: Int
    do {
      let fields = try JSONFields(try JSONValue(parsing: line))
      version = try fields.int("martlet_recording")
      settings = try fields.objectIfPresent("settings") ?? [:]
      if let time = try fields.stringIfPresent("time").flatMap(Timestamp.init) { self.time = time }
    } catch {
      throw Self.notARecording(error)
    }
    guard (1...Recorder.format).contains(version) else {
      throw RecordingError(
        .tooNew, "the recording has form \(version), and this version reads \(Recorder.format): update martlet")
    }
  }

  private enum Line: String {
    case session, prior, event, id, random, tools, tool, decision, deadline, request, response, chunk, reading, news,
      end
    case tokenCount = "token_count"
    case callId = "call_id"
    case toolEnd = "tool_end"
    case responseEnd = "response_end"
    case modelRequest = "model_request"
    case modelEvents = "model_events"
    case modelEnd = "model_end"
  }

  private mutating func read(_ fields: JSONFields) throws {
    switch Line(rawValue: try fields.string("type")) {
    case .session: try readSession(fields)
    case .prior:
      let record: EventRecord = try fields.value("record")
      try change(try fields.string("session")) { track in
        guard let seq = record.seq, seq == track.prior.count + track.events.count + 1 else { return }
        if track.events.isEmpty {
          track.prior.append(record)
        } else {
          track.events.append(record)
          track.foreign.insert(seq)
        }
      }
    case .event:
      let record: EventRecord = try fields.value("record")
      try change(try fields.string("session")) { track in
        guard record.seq == track.prior.count + track.events.count + 1 else {
          throw JSONFormError(path: "record.seq", message: "does not follow the event before")
        }
        track.events.append(record)
      }
    case .id: ids.append(try fields.string("value"))
    case .callId: callIds.append(try fields.string("value"))
    case .random: randoms.append(try fields.double("value"))
    case .tools:
      let tools = try fields.array("tools").map { try RecordedTool(json: $0) }
      offers[try fields.string("session"), default: []].append(
        RecordedOffer(turn: try fields.int("turn"), tools: tools))
    case .tool:
      tools[try callKey(fields), default: []].append(nil)
    case .toolEnd:
      let end: ToolEnd =
        try fields["output"].map { .output(try ToolOutput(recorded: $0)) }
        ?? .failure(try RecordedFailure(json: fields["error"] ?? .null))
      let key = try callKey(fields)
      guard let last = tools[key]?.indices.last else {
        throw JSONFormError(path: "call_id", message: "did not begin to run")
      }
      tools[key]?[last] = end
    case .decision:
      guard let outcome = RecordedDecision(rawValue: try fields.string("outcome")) else {
        throw JSONFormError(path: "outcome", message: "is none that is known")
      }
      decisions[try fields.string("approval_id")] = outcome
    case .deadline:
      guard let deadline = ScriptDeadline(rawValue: try fields.string("deadline")) else {
        throw JSONFormError(path: "deadline", message: "is none that is known")
      }
      deadlines[try callKey(fields), default: []].insert(deadline)
    case .reading:
      readings[try fields.string("name"), default: []].append(try RecordedContext.reading(fields))
    case .tokenCount: tokenCounts[try fields.string("hash")] = try fields.intIfPresent("tokens")
    case .news: news[try fields.string("name"), default: []].append(try RecordedContext.news(fields))
    case .request, .response, .chunk, .responseEnd: try readExchange(fields)
    case .modelRequest, .modelEvents, .modelEnd: try readReply(fields)
    case .end: isComplete = true
    case nil: break
    }
  }

  private func callKey(_ fields: JSONFields) throws -> CallKey {
    CallKey(session: try fields.string("session"), callId: try fields.string("call_id"))
  }

  private mutating func readSession(_ fields: JSONFields) throws {
    let id = try fields.string("session")
    let holder = try fields.stringIfPresent("previous_holder")
    if tracks[id] != nil {
      tracks[id]?.previousHolders.append(holder)
      return
    }
    sessions.append(id)
    tracks[id] = Track(
      owner: try fields.string("owner"), keepsBlobs: try fields.bool("keeps_blobs"), previousHolders: [holder])
  }

  private mutating func change(_ session: String, _ body: (inout Track) throws -> Void) throws {
    guard var track = tracks.removeValue(forKey: session) else {
      throw JSONFormError(path: "session", message: "was not begun")
    }
    defer { tracks[session] = track }
    try body(&track)
  }

  private mutating func readExchange(_ fields: JSONFields) throws {
    let number = try fields.int("exchange")
    switch Line(rawValue: try fields.string("type")) {
    case .request:
      guard positions[number] == nil else {
        throw JSONFormError(path: "exchange", message: "was there before")
      }
      positions[number] = exchanges.count
      exchanges.append(
        Exchange(
          number: number, method: try fields.string("method"), url: try fields.string("url"),
          headers: try Self.headers(fields), body: try RecordedBytes.bytes(fields["body"] ?? .null)))
    case .response:
      let position = try position(number)
      exchanges[position].status = try fields.int("status")
      exchanges[position].responseHeaders = try Self.headers(fields)
    case .chunk: exchanges[try position(number)].chunks.append(try RecordedBytes.bytes(fields["body"] ?? .null))
    default:
      let position = try position(number)
      exchanges[position].hasEnded = true
      exchanges[position].failure = try fields["error"].map { try RecordedFailure(json: $0) }
    }
  }

  private func position(_ exchange: Int) throws -> Int {
    guard let position = positions[exchange] else {
      throw JSONFormError(path: "exchange", message: "was not begun")
    }
    return position
  }

  private static func headers(_ fields: JSONFields) throws -> [(name: String, value: String)] {
    try fields.array("headers").map { field in
      guard let name = field[0]?.stringValue, let value = field[1]?.stringValue else {
        throw JSONFormError(path: "headers", message: "names and values are expected")
      }
      return (name, value)
    }
  }

  private mutating func readReply(_ fields: JSONFields) throws {
    let number = try fields.int("call")
    if case .modelRequest = Line(rawValue: try fields.string("type")) {
      let model = try ModelInfo(recorded: fields["model"] ?? .null)
      if !models.contains(model) { models.append(model) }
      replies.append(
        Reply(
          number: number, model: model, messages: try fields.int("messages"), hash: try fields.string("hash")))
      return
    }
    guard let index = replies.lastIndex(where: { $0.number == number }) else {
      throw JSONFormError(path: "call", message: "was not begun")
    }
    if case .modelEvents = Line(rawValue: try fields.string("type")) {
      replies[index].batches.append(try fields.values("events"))
    } else {
      replies[index].hasEnded = true
      replies[index].failure = try fields["error"].map { try RecordedFailure(json: $0) }
    }
  }
}

extension Recording {
  /// All pieces of text of the replies that were recorded event by event, as one.
  package var textOfPieces: String {
    replies.flatMap { $0.batches.joined() }.reduce(into: "") { text, event in
      if case .text(let piece, _) = event { text += piece }
    }
  }
}
