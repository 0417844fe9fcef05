public import MartletJSON
import MartletSync

/// Records what an agent takes from the world, so that the same can be played back without it: every exchange with a
/// model, tool, approver, clock and chance, and the durable events that came of it.
///
/// ```swift
/// let recorder = try Recorder(path: "run.jsonl")
/// let agent = Agent(
///   model: recorder.recording(model), tools: tools, store: recorder.recording(InMemorySessionStore()),
///   environment: recorder.environment())
/// let answer = try await agent.send("How is the weather?")
/// await agent.close()
/// try recorder.finish()
/// ```
///
/// The file is the user's alone (mode 0600), and secrets never enter it (`SecretMask`). Each line is handed to the system
/// as it happens, so that what a killed program recorded can be replayed as far as it came.
public final class Recorder: RunScript {
  let file: RecordingFile
  private let secrets: Locked<SecretMask>
  private let counter = Locked(0)
  private let outer = Locked<AgentEnvironment?>(nil)
  /// How often the tools of each session were looked at, and what of them is recorded.
  private let offers = Locked<[String: RecordedOffer]>([:])

  /// The version of the file's form.
  package static let format = 1

  /// Begins a recording in a new file.
  /// - Parameters:
  ///   - settings: what whoever replays it should know; given back as `Recording.settings`.
  ///   - secrets: keys and passwords that must not be recorded, besides all that look like some.
  /// - Throws: `RecordingError` with `.exists` or `.storage`.
  public init(path: String, settings: JSONObject = [:], secrets: [String] = []) throws {
    file = try RecordingFile(path)
    let mask = SecretMask(secrets: secrets)
    self.secrets = Locked(mask)
    file.write([
      "martlet_recording": JSONValue(Self.format), "time": .string(Timestamp.now.description),
      "settings": mask.mask(.object(settings)),
    ])
  }

  /// Why the recording ended early; nil while it has not. The recorded run goes on.
  public var failure: RecordingError? { file.failure }

  /// What it writes over.
  public var mask: SecretMask { secrets.withLock { $0 } }

  /// Writes over this text too from now on.
  public func keep(secret: String) { secrets.withLock { $0.insert(secret) } }

  /// Ends the recording and waits until it is on the disk.
  /// - Throws: `RecordingError` when it is not complete.
  public func finish() throws {
    file.finish(line("end"))
    if let failure { throw failure }
  }

  // MARK: What is recorded

  /// An environment that tells what it gives.
  public func environment(_ base: AgentEnvironment = AgentEnvironment()) -> AgentEnvironment {
    outer.withLock { $0 = base }
    var environment = base
    environment.makeID = { [self] in noted("id", base.makeID()) }
    environment.makeCallID = { [self] in noted("call_id", base.makeCallID()) }
    environment.random = { [self] in
      let value = base.random()
      file.write(["type": "random", "value": JSONValue(finite: value)], isLazy: true)
      return value
    }
    environment.script = self
    return environment
  }

  private func noted(_ type: String, _ text: String) -> String {
    file.write(["type": .string(type), "value": .string(text)], isLazy: true)
    return text
  }

  /// A store whose durable events are recorded, as they are stored.
  public func recording(_ store: any SessionStore) -> any SessionStore { RecordingStore(store, recorder: self) }

  /// A model whose replies are recorded event by event: for models of this device. The exchanges of a provider are
  /// recorded as bytes, by a `RecordingTransport`.
  public func recording(_ model: any LanguageModel) -> any LanguageModel {
    RecordingModel(base: model, recorder: self)
  }

  /// An approver whose answers are recorded.
  public func recording(_ approver: any Approver) -> any Approver { RecordingApprover(base: approver, recorder: self) }

  // MARK: Lines

  func line(_ type: String) -> JSONObject { ["type": .string(type), "at": JSONValue(file.elapsed)] }

  func number() -> Int {
    counter.withLock { counter in
      counter += 1
      return counter
    }
  }

  /// Writes a line, masked.
  func write(_ type: String, _ fields: JSONObject) {
    var object = line(type)
    for (key, value) in fields { object[key] = value }
    guard case .object(let masked) = mask.mask(.object(object)) else { return }
    file.write(masked)
  }

  // MARK: Exchanges over HTTP

  /// A request is about to be sent. Gives the exchange's number.
  package func request(
    _ method: String, _ url: String, headers: [(name: String, value: String)], body: [UInt8]
  ) -> Int {
    let number = number()
    write(
      "request",
      [
        "exchange": JSONValue(number), "method": .string(method), "url": .string(url), "headers": Self.fields(headers),
        "body": RecordedBytes.json(mask.mask(body)),
      ])
    return number
  }

  package func response(_ exchange: Int, status: Int, headers: [(name: String, value: String)]) {
    write(
      "response",
      ["exchange": JSONValue(exchange), "status": JSONValue(status), "headers": Self.fields(headers)])
  }

  /// A piece of a response, masked already: by itself it does not tell what it is a piece of.
  package func chunk(_ exchange: Int, at time: Int, _ bytes: [UInt8]) {
    var object: JSONObject = ["type": "chunk", "at": JSONValue(time), "exchange": JSONValue(exchange)]
    object["body"] = RecordedBytes.text(bytes)
    file.write(object)
  }

  package func responseEnd(_ exchange: Int, failure: RecordedFailure? = nil) {
    write(
      "response_end", ["exchange": JSONValue(exchange), "error": failure?.json ?? .null])
  }

  /// Microseconds since the recording began.
  package var elapsed: Int { file.elapsed }

  private static func fields(_ headers: [(name: String, value: String)]) -> JSONValue {
    .array(headers.map { .array([.string($0.name), .string($0.value)]) })
  }

  // MARK: The agent's script

  package func tools(_ tools: [AnyTool], in session: String) -> [AnyTool] {
    let remote = tools.filter(\.isRemote).map(RecordedTool.init)
    let turn = offers.withLock { offers -> Int? in
      let last = offers[session] ?? RecordedOffer(turn: -1, tools: [])
      offers[session] = RecordedOffer(turn: last.turn + 1, tools: remote)
      return last.tools == remote ? nil : last.turn + 1
    }
    if let turn {
      write(
        "tools", ["session": .string(session), "turn": JSONValue(turn), "tools": .array(remote.map(\.json))])
    }
    return tools
  }

  package func tool(_ tool: AnyTool, callId: String, in session: String) -> AnyTool {
    let base = outer.withLock { $0 }
    return tool.performing { [self] arguments, context in
      write(
        "tool",
        [
          "session": .string(session), "call_id": .string(callId), "name": .string(tool.definition.name),
          "arguments": .object(arguments),
        ])
      var context = context
      // What a tool draws is its own: it is not run when the recording is replayed.
      if let base { context.environment = base }
      var end: JSONObject = ["session": .string(session), "call_id": .string(callId)]
      do {
        let output = try await tool.call(arguments, context: context)
        end["output"] = output.recorded
        write("tool_end", end)
        return output
      } catch {
        end["error"] = RecordedFailure(error).json
        write("tool_end", end)
        throw error
      }
    }
  }

  package func reading(of source: any ContextSource) async -> ContextReading? {
    let reading = await source.read()
    var fields: JSONObject = ["name": .string(source.name), "warnings": RecordedContext.json(reading.warnings)]
    fields.set("text", reading.text.map { .string($0) })
    write("reading", fields)
    return reading
  }

  package func news(of source: any ContextSource, since told: ToldContext) async -> ContextNews? {
    let news = await source.news(since: told)
    write(
      "news",
      [
        "name": .string(source.name), "notes": RecordedContext.json(news.notes),
        "warnings": RecordedContext.json(news.warnings),
      ])
    return news
  }

  package func passed(_ deadline: ScriptDeadline, of callId: String, in session: String) {
    write(
      "deadline",
      ["session": .string(session), "call_id": .string(callId), "deadline": .string(deadline.rawValue)])
  }
}
