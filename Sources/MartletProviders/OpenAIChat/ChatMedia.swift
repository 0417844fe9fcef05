import Martlet
import MartletJSON

/// Media as a content part; nil for what the vendor does not take, or not in this form.
struct ChatMedia {
  let part: JSONValue

  init?(_ media: Media, vendor: ChatVendor, facts: OpenAIModelFacts) {
    let url: String
    switch media.source {
    case .data(let base64): url = "data:\(media.mimeType);base64,\(base64)"
    case .url(let address): url = address
    case .fileId(let id):
      guard media.kind == .file, vendor.media.contains(.files) else { return nil }
      part = ["type": "file", "file": ["file_id": .string(id)]]
      return
    case .blob: return nil
    }
    switch media.kind {
    case .image where vendor.media.contains(.images):
      part = ["type": "image_url", "image_url": ["url": .string(url)]]
    case .audio where vendor.media.contains(.audio) || facts.hears:
      guard case .data(let base64) = media.source else { return nil }
      part = [
        "type": "input_audio",
        "input_audio": ["data": .string(base64), "format": .string(Self.format(media.mimeType))],
      ]
    case .file where vendor.media.contains(.files) && media.mimeType == "application/pdf":
      guard case .data = media.source else { return nil }
      part = [
        "type": "file", "file": ["filename": .string(media.name ?? "document.pdf"), "file_data": .string(url)],
      ]
    default: return nil
    }
  }

  /// `mp3` for `audio/mpeg`, `wav` for `audio/x-wav`, else what follows the slash.
  private static func format(_ type: String) -> String {
    let name = String(type.split(separator: "/").last ?? "wav")
    return ["mpeg": "mp3", "mp3": "mp3", "x-wav": "wav", "wave": "wav"][name] ?? name
  }
}
