import Martlet
import MartletJSON

/// Media in Chat Completions.
enum ChatMedia {
  /// What a vendor takes of a model's media.
  static func rules(of vendor: ChatVendor, _ facts: OpenAIModelFacts) -> MediaRules {
    let takesImages = vendor.media.contains(.images)
    let takesFiles = vendor.media.contains(.files)
    var rules = MediaRules(
      imageTypes: takesImages ? ["image/png", "image/jpeg", "image/webp", "image/gif"] : [],
      imageAddresses: takesImages ? .all : .none, takesFileIds: takesFiles,
      fileTypes: takesFiles ? [MediaRules.pdf] : [])
    if facts.isOpenAIs {
      rules.soundTypes = facts.hears ? ["wav", "mp3"] : []
    } else {
      rules.soundTypes = vendor.media.contains(.audio) || facts.hears ? nil : []
    }
    return rules
  }

  /// A content part of what the rules have let through.
  static func part(_ media: Media) -> JSONValue {
    switch (media.kind, media.source) {
    case (.image, .data(let base64)):
      ["type": "image_url", "image_url": ["url": .string("data:\(media.mimeType);base64,\(base64)")]]
    case (.image, .url(let url)): ["type": "image_url", "image_url": ["url": .string(url)]]
    case (.audio, .data(let base64)):
      ["type": "input_audio", "input_audio": ["data": .string(base64), "format": .string(media.subtype)]]
    case (.file, .data(let base64)):
      [
        "type": "file",
        "file": [
          "filename": .string(media.name ?? "document.pdf"),
          "file_data": .string("data:\(media.mimeType);base64,\(base64)"),
        ],
      ]
    case (.file, .fileId(let id)): ["type": "file", "file": ["file_id": .string(id)]]
    default: ["type": "text", "text": .string(media.placeholder)]
    }
  }
}
