/// The `AGENTS.md` files of a directory and those above it.
struct ProjectInstructions {
  struct Part: Sendable, Hashable {
    let path: String
    let text: String
  }

  /// The outermost first, so that the nearest has the last word.
  private(set) var parts: [Part] = []
  /// What was left out, and why.
  private(set) var notices: [String] = []

  static let limit = 64 * 1024

  init(of places: Places) {
    var directory = places.directory
    while true {
      read((directory == "/" ? "" : directory) + "/AGENTS.md", places)
      guard let slash = directory.lastIndex(of: "/"), directory != "/" else { break }
      directory = slash == directory.startIndex ? "/" : String(directory[..<slash])
    }
    parts.reverse()
  }

  private mutating func read(_ path: String, _ places: Places) {
    do {
      let bytes = try FileAccess.read(path, limit: 16 << 20)
      if FileAccess.isStrangers(path) {
        notices.append("\(places.short(path)) is ignored: somebody else put it into a directory open to everybody")
        return
      }
      var text = String(decoding: bytes.prefix(Self.limit), as: UTF8.self).trimmingSpaces()
      if bytes.count > Self.limit {
        notices.append("\(places.short(path)) is too long: the first \(Self.limit >> 10) KiB of it are used")
        text += "\n…"
      }
      if !text.isEmpty { parts.append(Part(path: path, text: text)) }
    } catch {
      if !error.isMissing { notices.append("\(places.short(path)) cannot be read: \(error.reason)") }
    }
  }

  /// All of them for the model; nil when there are none.
  var text: String? {
    parts.isEmpty ? nil : parts.map { "Instructions from \($0.path):\n\n\($0.text)" }.joined(separator: "\n\n")
  }
}
