import FoundationEssentials
import Martlet

/// A file that goes with a prompt.
enum Attachment {
  static let limit = 20 << 20

  /// Text goes into the prompt under its name; images and PDFs go along as media.
  static func block(for path: String, places: Places) throws(CommandFailure) -> ContentBlock {
    let bytes: [UInt8]
    do {
      bytes = try FileAccess.read(places.path(path), limit: limit, pipes: true)
    } catch {
      throw .usage(
        error.isMissing
          ? "there is no file \(path.quotedShort) to attach; check its path"
          : "the file \(path.quotedShort) cannot be attached: \(error.reason)", underlying: error)
    }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    if let (kind, type) = mediaType(bytes) {
      let data = Data(bytes).base64EncodedString()
      return .media(Media(kind: kind, mimeType: type, name: name, source: .data(base64: data)))
    }
    guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else {
      throw .usage("the file \(path.quotedShort) is neither text (UTF-8), an image (PNG, JPEG, GIF, WebP) nor a PDF")
    }
    return .text("File \(name):\n\n\(text)")
  }

  /// By the first bytes, not by the name.
  private static func mediaType(_ bytes: [UInt8]) -> (Media.Kind, String)? {
    func starts(_ signature: [UInt8], at offset: Int = 0) -> Bool { bytes.dropFirst(offset).starts(with: signature) }
    if starts([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return (.image, "image/png") }
    if starts([0xFF, 0xD8, 0xFF]) { return (.image, "image/jpeg") }
    if starts(Array("GIF8".utf8)) { return (.image, "image/gif") }
    if starts(Array("RIFF".utf8)), starts(Array("WEBP".utf8), at: 8) { return (.image, "image/webp") }
    if starts(Array("%PDF-".utf8)) { return (.file, "application/pdf") }
    return nil
  }
}
