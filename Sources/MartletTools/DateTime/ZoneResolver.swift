/// Finds the time zone that is meant: an IANA identifier, an offset, a city, an abbreviation.
struct ZoneResolver: Sendable {
  /// Nothing, or too much, is meant.
  struct Unresolved: Error, Hashable {
    /// Identifiers that may be meant, the likeliest first; may be empty.
    let suggestions: [String]
    let isAmbiguous: Bool
  }

  let database: ZoneDatabase

  func resolve(_ text: String) throws(Unresolved) -> ResolvedZone {
    let text = Self.trimmed(text)
    let key = Self.key(text)
    // Before the database, whose "EST" is New York's clock without its summer.
    if let meanings = ZoneNames.abbreviations[key] {
      guard meanings.count == 1 else { throw Unresolved(suggestions: meanings, isAmbiguous: true) }
      if let zone = zone(named: meanings[0]) { return zone }
    }
    if let zone = zone(named: text) { return zone }
    if let offset = Self.offset(text) { return ResolvedZone(offset: offset) }
    if let identifier = ZoneNames.places[key], let zone = zone(named: identifier) { return zone }
    let known = database.identifiers()
    // "asia/tokyo", then "tokyo" for "Asia/Tokyo".
    if let match = known.first(where: { Self.key($0) == key }), let zone = zone(named: match) { return zone }
    let cities = known.filter { Self.key($0.split(separator: "/").last.map(String.init) ?? $0) == key }
    if let zone = try only(of: cities) { return zone }
    if let zone = try qualified(text) { return zone }
    throw Unresolved(suggestions: Self.nearest(to: key, among: known), isAmbiguous: false)
  }

  /// "Tokyo, Japan" and "Paris (France)", where both halves mean the same zone. (Paris, Texas is another place.)
  private func qualified(_ text: String) throws(Unresolved) -> ResolvedZone? {
    let parts = text.split { ",，(（)）".contains($0) }.map(String.init)
    guard parts.count == 2 else { return nil }
    let place = try resolve(parts[0])
    do throws(Unresolved) {
      let country = try resolve(parts[1])
      if country == place || database.zone(country.identifier) == database.zone(place.identifier) { return place }
    } catch {}
    throw Unresolved(suggestions: [place.identifier], isAmbiguous: false)
  }

  private func zone(named identifier: String) -> ResolvedZone? {
    if identifier == "UTC" || identifier == "GMT" { return ResolvedZone(offset: 0) }
    return database.zone(identifier).map { ResolvedZone(identifier: identifier, file: $0) }
  }

  /// The zone of several identifiers if they all are the same one.
  private func only(of identifiers: [String]) throws(Unresolved) -> ResolvedZone? {
    let zones = identifiers.compactMap(zone(named:))
    guard let first = zones.first else { return nil }
    let same = zones.allSatisfy { other in database.zone(other.identifier) == database.zone(first.identifier) }
    guard same else { throw Unresolved(suggestions: identifiers, isAmbiguous: true) }
    return first
  }

  // MARK: Text

  private static func trimmed(_ text: String) -> String {
    var text = text[...]
    while let first = text.first, first.isWhitespace { text = text.dropFirst() }
    while let last = text.last, last.isWhitespace { text = text.dropLast() }
    return String(text)
  }

  /// What two spellings of a name have in common: "New York", "new_york", "NEW-YORK".
  private static func key(_ text: String) -> String {
    String(text.lowercased().map { $0 == "_" || $0 == "-" ? " " : $0 })
  }

  /// "UTC+9", "GMT-03:30", "+0530", "Z".
  private static func offset(_ text: String) -> Int? {
    var rest = text.uppercased()[...]
    if rest == "Z" || rest == "ZULU" || rest == "UCT" { return 0 }
    for prefix in ["UTC", "GMT"] where rest.hasPrefix(prefix) {
      rest = rest.dropFirst(3).drop { $0 == " " }
      if rest.isEmpty { return 0 }
      break
    }
    guard let sign = rest.first, "+-−".contains(sign) else { return nil }
    rest = rest.dropFirst()
    let parts = rest.split(separator: ":", omittingEmptySubsequences: false)
    let (hours, minutes): (Substring, Substring)
    switch (parts.count, rest.count) {
    case (1, 1...2): (hours, minutes) = (rest, "0")
    case (1, 4): (hours, minutes) = (rest.prefix(2), rest.suffix(2))
    case (2, _) where parts[1].count == 2: (hours, minutes) = (parts[0], parts[1])
    default: return nil
    }
    guard let hours = UInt8(hours), let minutes = UInt8(minutes), hours <= 14, minutes < 60 else { return nil }
    let seconds = (Int(hours) * 60 + Int(minutes)) * 60
    return sign == "+" ? seconds : -seconds
  }

  /// The known identifiers most like a name, at most five.
  private static func nearest(to key: String, among known: [String]) -> [String] {
    let wanted = Array(key.utf8)
    guard !wanted.isEmpty, wanted.count <= 64 else { return [] }
    let scored = known.filter { $0.contains("/") && !$0.hasPrefix("Etc/") }.compactMap { identifier -> (Int, String)? in
      let whole = Self.key(identifier)
      let city = whole.split(separator: "/").last.map(String.init) ?? whole
      if city.contains(key) || whole.contains(key) { return (0, identifier) }
      let distance = min(Self.distance(wanted, Array(city.utf8)), Self.distance(wanted, Array(whole.utf8)))
      return distance <= max(1, wanted.count / 3) ? (distance, identifier) : nil
    }
    return scored.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.prefix(5).map(\.1)
  }

  /// How many letters must be changed to make one text of the other (Levenshtein).
  private static func distance(_ first: [UInt8], _ second: [UInt8]) -> Int {
    var row = Array(0...second.count)
    for (i, a) in first.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, b) in second.enumerated() {
        (diagonal, row[j + 1]) = (row[j + 1], min(diagonal + (a == b ? 0 : 1), row[j] + 1, row[j + 1] + 1))
      }
    }
    return row[second.count]
  }
}
