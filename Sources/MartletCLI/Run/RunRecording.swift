import Martlet
import MartletJSON

/// What `--record`, `--replay` and `--from` ask for.
struct RunRecording {
  /// The command's arguments; of a replay, those that are not given are the recorded ones.
  let arguments: ParsedArguments
  let replay: Replay?
  /// Where a new recording goes.
  private let path: String?
  private let goesOnLive: Bool
  /// What the recorded run was set to; nil without a replay.
  let asksAboutLostCalls: Bool?
  /// How the recorded run was set up; nil without a replay, and where the recording does not say.
  let setup: RecordedSetup?
  /// The options that were given to a replay.
  private let given: Set<String>

  /// Options that say how a run is shown, kept or recorded, and not what it does.
  private static let unrecorded: Set<String> = [
    "record", "replay", "from", "output", "verbose", "log-level", "store", "session", "continue", "cd", "no-color",
  ]

  /// Whether nothing is to be taken from the world.
  var isOffline: Bool { replay != nil && !goesOnLive }

  /// Whether the recorded value of an option holds.
  func holds<Value>(_ option: Option<Value>) -> Bool { setup != nil && !given.contains(option.spec.name) }

  init(_ arguments: ParsedArguments, _ context: CommandContext) throws(CommandFailure) {
    given = Set(arguments.values.keys)
    path = arguments[RunOptions.record].map(context.places.path)
    let from = arguments[RunOptions.from]
    goesOnLive = from != nil
    guard let file = arguments[RunOptions.replay] else {
      if from != nil { throw .usage("--from says where a replay goes on live; name the recording with --replay") }
      (self.arguments, replay, asksAboutLostCalls, setup) = (arguments, nil, nil, nil)
      return
    }
    if path != nil { throw .usage("--record and --replay cannot go together; a replay is the recording again") }
    for option in [RunOptions.session.spec.name, RunOptions.continue.spec.name] where arguments.values[option] != nil {
      throw .usage("--\(option) cannot go with --replay, which replays the recorded session")
    }
    let recording: Recording
    do { recording = try Recording(path: context.places.path(file)) } catch let error as RecordingError {
      throw CommandFailure(error.code == .storage ? .usage : .failed, error.message, underlying: error)
    } catch {
      throw .failed("the recording cannot be read: \(error)", underlying: error)
    }
    let count = recording.events.last?.seq ?? 0
    if let from, from > count {
      throw .usage("the recording \(file.quotedShort) has \(count) events; --from takes one of them, not \(from)")
    }
    if count == 0 { throw .failed("the recording \(file.quotedShort) was cut off before its first event") }
    var options: [String: [String]] = [:]
    for (name, values) in recording.settings["options"]?.objectValue ?? [:] {
      options[name] = values.arrayValue?.compactMap(\.stringValue) ?? []
    }
    self.arguments = arguments.filled(from: options)
    do { setup = try RecordedSetup(recording.settings["setup"]) } catch {
      throw .failed(
        "the recording \(file.quotedShort) cannot be read: its setup is damaged: \(error)", underlying: error)
    }
    asksAboutLostCalls = recording.settings["asks_about_lost_calls"]?.boolValue ?? false
    replay = Replay(recording, through: from)
  }

  /// Where the session is kept. A replay keeps nothing unless it is told where.
  func store(_ arguments: ParsedArguments, _ context: CommandContext) throws(CommandFailure) -> any SessionStore {
    guard let replay else { return try StoreChoice.open(arguments[RunOptions.store], context) }
    guard let choice = arguments[RunOptions.store] else { return replay.store() }
    return replay.store(try StoreChoice.open(choice, context))
  }

  /// The context of a run that is recorded or replayed, if it is.
  func begun(
    model: String, asksAboutLostCalls: Bool, setup: RecordedSetup, _ context: CommandContext
  ) throws(CommandFailure) -> CommandContext {
    var context = context
    context.replay = replay
    context.goesOnLive = goesOnLive
    guard let path else { return context }
    var options = JSONObject()
    for (name, values) in arguments.values.sorted(by: { $0.key < $1.key }) where !Self.unrecorded.contains(name) {
      options[name] = .array(values.map { .string($0) })
    }
    options["model"] = [.string(model)]
    do {
      context.recorder = try Recorder(
        path: path,
        settings: [
          "program": .string("martlet \(Version.current)"), "options": .object(options),
          "asks_about_lost_calls": .bool(asksAboutLostCalls), "setup": setup.json,
        ],
        secrets: Self.secrets(context.environment))
    } catch let error as RecordingError {
      throw CommandFailure(error.code == .exists ? .usage : .failed, error.message, underlying: error)
    } catch {
      throw .failed("the recording cannot be begun: \(error)", underlying: error)
    }
    return context
  }

  /// Where rules are kept. A replay keeps none: the recorded run did.
  func permissions(_ store: any PermissionStore) -> any PermissionStore {
    guard let replay else { return store }
    return replay.permissions(setup.map { RecordedScopes(scopes: $0.scopes) } ?? store)
  }

  func approver(_ approver: any Approver, _ context: CommandContext) -> any Approver {
    context.recorder?.recording(approver) ?? replay?.approver(live: goesOnLive ? approver : nil) ?? approver
  }

  /// Who gives inputs: nobody while a run is replayed, since they are recorded.
  func inputs(_ provider: any InputProvider) -> (any InputProvider)? {
    guard let replay else { return provider }
    return goesOnLive ? ReplayedInputs(replay: replay, live: provider) : nil
  }

  /// What the process holds under names that keys and passwords have.
  static func secrets(_ environment: [String: String]) -> [String] {
    let endings = ["KEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "CREDENTIALS"]
    return environment.filter { name, _ in endings.contains { name.uppercased().hasSuffix($0) } }.map(\.value)
  }
}

extension CommandFailure {
  /// A replay that is not what was recorded.
  init(_ error: RecordingError) {
    var message = error.message
    if let recorded = error.recorded, let replayed = error.replayed {
      message += "; recorded was …\(recorded.quotedShort), now it is …\(replayed.quotedShort)"
    }
    self.init(.failed, message, underlying: error)
  }
}
