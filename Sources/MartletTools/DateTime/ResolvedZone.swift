/// A time zone that can tell its offset.
struct ResolvedZone: Hashable, Sendable {
  private enum Source: Hashable {
    case fixed(Int)
    case file(ZoneFile)
    case rule(DaylightRule)
  }

  /// "Asia/Tokyo", "UTC", "UTC+05:30".
  let identifier: String
  private let source: Source

  init(identifier: String, file: ZoneFile) {
    self.identifier = identifier
    source = .file(file)
  }

  init(identifier: String, rule: DaylightRule) {
    self.identifier = identifier
    source = .rule(rule)
  }

  /// - Parameter offset: seconds east of UTC.
  init(offset: Int) {
    identifier = offset == 0 ? "UTC" : "UTC\(ZoneOffset.text(offset))"
    source = .fixed(offset)
  }

  func offset(at seconds: Int) -> ZoneOffset {
    switch source {
    case .fixed(let offset): ZoneOffset(seconds: offset, isDaylightSaving: false, abbreviation: identifier)
    case .file(let file): file.offset(at: seconds)
    case .rule(let rule): rule.offset(at: seconds)
    }
  }
}
