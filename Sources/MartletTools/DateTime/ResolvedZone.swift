/// A time zone that can tell its offset.
struct ResolvedZone: Hashable, Sendable {
  private enum Source: Hashable {
    case fixed(Int)
    case file(ZoneFile)
  }

  /// "Asia/Tokyo", "UTC", "UTC+05:30".
  let identifier: String
  private let source: Source

  init(identifier: String, file: ZoneFile) {
    self.identifier = identifier
    source = .file(file)
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
    }
  }
}
