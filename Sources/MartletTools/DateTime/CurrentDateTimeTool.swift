public import Martlet
public import MartletJSON

/// Tells the date and time in a time zone, as tool `currentDateTime`.
///
/// The clock is the context's. Failures are results with code `INVALID_TIMEZONE` and suggestions.
public struct CurrentDateTimeTool: Tool {
  /// Where.
  public struct Arguments: ToolArguments {
    @Parameter(
      "IANA time zone of the place asked about, such as Asia/Tokyo; leave it out for the user's own time zone",
      examples: ["Asia/Tokyo"])
    public var timeZoneID: String?

    public init() {}
  }

  private let database: ZoneDatabase

  /// The tool with the time zones of this machine.
  public init() { database = .system }

  init(database: ZoneDatabase) { self.database = database }

  public var name: String { "currentDateTime" }
  public var title: String { "Date and time" }
  public var description: String {
    "Tells the current date, time and day of the week, for the user or in any time zone. Use it whenever the answer "
      + "depends on what day or time it is now; never guess it. Runs locally and instantly."
  }
  public var effect: ToolEffect { .readOnly }
  public var isInstant: Bool { true }

  /// The text is the date in the words of the user's language, then in ISO 8601 with the zone; `structured` holds the
  /// parts.
  public func call(arguments: Arguments, context: ToolContext) async throws -> ToolOutput {
    let zone: ResolvedZone
    do throws(ZoneResolver.Unresolved) {
      zone = try resolve(arguments.timeZoneID, context)
    } catch {
      return .failure(message(for: error, arguments.timeZoneID ?? context.timeZone), code: "INVALID_TIMEZONE")
    }
    let seconds = Int(context.environment.now().milliseconds).flooredQuotient(by: 1_000)
    let offset = zone.offset(at: seconds)
    let date = CivilDateTime(secondsSince1970: seconds, offset: offset.seconds)
    let iso = "\(date.date)T\(date.time)\(offset.text)"
    let place = zone.identifier.hasPrefix("UTC") ? zone.identifier : "\(zone.identifier), UTC\(offset.text)"
    return .structured(
      [
        "date": .string(date.date), "time": .string(date.time),
        "weekday": .string(DateTimeWords.forLocale("en").weekdays[date.weekday]),
        "time_zone": .string(zone.identifier), "utc_offset": .string(offset.text),
        "abbreviation": .string(offset.abbreviation), "daylight_saving": .bool(offset.isDaylightSaving),
        "day_of_year": .number(JSONNumber(date.dayOfYear)), "iso8601": .string(iso),
        "unix": .number(JSONNumber(seconds)),
      ], text: "\(DateTimeWords.forLocale(context.locale).text(date)) (\(iso), \(place))")
  }

  private func resolve(_ name: String?, _ context: ToolContext) throws(ZoneResolver.Unresolved) -> ResolvedZone {
    let resolver = ZoneResolver(database: database)
    // Models that must fill every parameter in write "" or "local".
    if let name, !["", "local", "user", "default", "null", "none"].contains(name.lowercased()) {
      return try resolver.resolve(name)
    }
    if let rule = DaylightRule(context.timeZone), database.zone(context.timeZone) == nil, context.timeZone != "UTC" {
      return ResolvedZone(identifier: context.timeZone, rule: rule)
    }
    return try resolver.resolve(context.timeZone)
  }

  private func message(for error: ZoneResolver.Unresolved, _ name: String) -> String {
    let name = name.count <= 80 ? name : String(name.prefix(80)) + "…"
    guard error.suggestions.isEmpty else {
      let list = error.suggestions.joined(separator: ", ")
      return error.isAmbiguous
        ? "The time zone \"\(name)\" can mean several: \(list). Call again with one of them."
        : "There is no time zone \"\(name)\". Did you mean \(list)?"
    }
    if !database.isAvailable {
      return "The time zone \"\(name)\" is not known: this machine has no time zone data (package tzdata). "
        + "An offset such as UTC+9 works."
    }
    return "There is no time zone \"\(name)\". Use an IANA identifier such as Asia/Tokyo, or an offset such as UTC+9."
  }
}
