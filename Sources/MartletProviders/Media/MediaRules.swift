import Martlet

/// Which media a service takes.
///
/// What it does not take it refuses, and with it every later request of the conversation: an image whose bytes are not what
/// its type says, a drawing, one that is too large. So words go in its place, and the model knows that something was there.
/// The type is the one that the bytes have: tools and servers get it wrong.
struct MediaRules: Sendable {
  /// Types of images that are given as data.
  var imageTypes: Set<String> = ["image/png", "image/jpeg", "image/webp", "image/gif"]
  /// Characters of base64 that an image may have.
  var imageLength: Int?
  /// Pixels that an image may be wide or high.
  var longestSide: Int?
  /// Whether images may be given by address, and by which.
  var imageAddresses = Addresses.all
  /// Whether images and files may be given by the service's own ids.
  var takesFileIds = true
  /// Types of files that are given as data; text goes as text, whatever its type.
  var fileTypes: Set<String> = []
  /// Whether files may be given by address.
  var takesFileAddresses = false
  /// Types of sound, by what follows the slash; nil for every one.
  var soundTypes: Set<String>? = []

  enum Addresses: Sendable {
    case none, https, all

    func allow(_ url: String) -> Bool {
      switch self {
      case .none: false
      case .https: url.hasPrefix("https://")
      case .all: url.hasPrefix("https://") || url.hasPrefix("http://")
      }
    }
  }

  /// What a piece of media becomes.
  enum Form: Sendable, Hashable {
    /// An image; of one that is data, what is known.
    case image(Media, ImageFacts?)
    case file(Media)
    case sound(Media)
    /// A file of text, with its words.
    case document(String, name: String?)
    /// What stands in its place.
    case words(String)
  }

  func form(of media: Media) -> Form {
    guard let media = media.unpacked else { return .words(media.placeholder) }
    switch media.kind {
    case .image: return image(media)
    case .audio:
      let isTaken = soundTypes.map { $0.contains(media.subtype) } ?? true
      guard isTaken, case .data(let base64) = media.source, !base64.isEmpty else { return .words(media.placeholder) }
      return .sound(media)
    case .file: return file(media)
    }
  }

  /// The media as a block that may be sent, or the words for it.
  func block(of media: Media) -> ContentBlock {
    switch form(of: media) {
    case .image(let media, _), .file(let media), .sound(let media): .media(media)
    case .document(let text, let name): .text(Self.quoted(text, name: name))
    case .words(let words): .text(words)
    }
  }

  /// The words of a file of text where files are not taken.
  static func quoted(_ text: String, name: String?) -> String {
    "[file\(name.map { " \($0)" } ?? "")]\n\(text)"
  }

  private func image(_ media: Media) -> Form {
    switch media.source {
    case .data(let base64):
      guard let facts = ImageFacts(base64: base64), imageTypes.contains(facts.type) else {
        return .words(media.placeholder)
      }
      if let imageLength, base64.utf8.count > imageLength {
        return .words("[image \(media.label), not shown: it has more bytes than this service takes]")
      }
      if let longestSide, let side = facts.longestSide, side > longestSide {
        return .words("[image \(media.label), not shown: it is \(side) pixels long, and \(longestSide) is the most]")
      }
      var media = media
      media.mimeType = facts.type
      return .image(media, facts)
    case .url(let url): return imageAddresses.allow(url) ? .image(media, nil) : .words(media.placeholder)
    case .fileId: return takesFileIds ? .image(media, nil) : .words(media.placeholder)
    case .blob: return .words(media.placeholder)
    }
  }

  private func file(_ media: Media) -> Form {
    switch media.source {
    case .data(let base64):
      if media.isText {
        // What is named text and is none would be refused as such.
        guard let text = String(validating: Base64Text.bytes(base64), as: UTF8.self) else {
          return .words(media.placeholder)
        }
        return text.isBlank ? .words("[file \(media.label), empty]") : .document(text, name: media.name)
      }
      guard fileTypes.contains(media.mimeType), !base64.isEmpty else { return .words(media.placeholder) }
      if media.mimeType == Self.pdf, !Base64Text.bytes(base64, limit: 1_024).holds("%PDF-") {
        return .words(media.placeholder)
      }
      return .file(media)
    case .url: return takesFileAddresses ? .file(media) : .words(media.placeholder)
    case .fileId: return takesFileIds ? .file(media) : .words(media.placeholder)
    case .blob: return .words(media.placeholder)
    }
  }

  static let pdf = "application/pdf"
}

extension Media {
  /// Its name, else its type.
  fileprivate var label: String { name ?? mimeType }

  /// What follows the slash of its type: `mp3` for `audio/mpeg`, `wav` for `audio/x-wav`.
  var subtype: String {
    let name = String(mimeType.split(separator: "/").last ?? "")
    return ["mpeg": "mp3", "x-wav": "wav", "wave": "wav", "vnd.wave": "wav", "x-aiff": "aiff", "x-m4a": "m4a"][name]
      ?? name
  }

  /// With the bytes of a `data:` address as data, and data as services take it; nil for data that is no base64.
  fileprivate var unpacked: Media? {
    var media = self
    if case .url(let url) = source, url.hasPrefix("data:"), let comma = url.firstIndex(of: ",") {
      let head = url[..<comma].dropFirst(5).split(separator: ";")
      guard head.contains("base64") else { return nil }
      media.source = .data(base64: String(url[comma...].dropFirst()))
      if let type = head.first, type.contains("/") { media.mimeType = String(type) }
    }
    if case .data(let base64) = media.source {
      guard let standard = Base64Text.standard(base64) else { return nil }
      media.source = .data(base64: standard)
    }
    return media
  }

  /// Whether its type is one of texts.
  fileprivate var isText: Bool {
    if mimeType.hasPrefix("text/") { return true }
    return [
      "json", "xml", "yaml", "x-yaml", "toml", "javascript", "x-javascript", "typescript", "x-sh", "sql", "x-ndjson",
      "graphql", "x-python",
    ].contains { mimeType == "application/\($0)" } || mimeType.hasSuffix("+json") || mimeType.hasSuffix("+xml")
  }
}

extension [UInt8] {
  /// Whether a text is among the bytes.
  fileprivate func holds(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard self.count >= count else { return false }
    return (0...(self.count - count)).contains { start in
      (0..<count).allSatisfy { self[start + $0] == text.utf8Start[$0] }
    }
  }
}
