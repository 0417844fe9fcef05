import MartletJSON

/// An image, a sound or a file inside a message.
public struct Media: Sendable, Hashable {
  /// What sort of media it is.
  public enum Kind: String, Sendable, Hashable {
    /// A picture.
    case image
    /// A sound.
    case audio
    /// A document, such as a PDF.
    case file
  }

  /// Where the bytes are.
  public enum Source: Sendable, Hashable {
    /// The bytes themselves, base64.
    case data(base64: String)
    /// An address the provider can read.
    case url(String)
    /// A file the provider holds.
    case fileId(String)
    /// Bytes kept by the session store; `size` in bytes.
    case blob(id: String, size: Int)
  }

  /// What sort of media it is.
  public var kind: Kind
  /// Its type, such as `image/png`.
  public var mimeType: String
  /// A file name to show, where there is one.
  public var name: String?
  /// Where the bytes are.
  public var source: Source

  /// A piece of media.
  public init(kind: Kind, mimeType: String, name: String? = nil, source: Source) {
    self.kind = kind
    self.mimeType = mimeType
    self.name = name
    self.source = source
  }

  init(_ fields: JSONFields) throws {
    guard let kind = Kind(rawValue: try fields.string("kind")) else {
      throw JSONFormError(path: "kind", message: "one of image, audio, file is expected")
    }
    let source: Source
    if let data = try fields.stringIfPresent("data") {
      source = .data(base64: data)
    } else if let url = try fields.stringIfPresent("url") {
      source = .url(url)
    } else if let id = try fields.stringIfPresent("file_id") {
      source = .fileId(id)
    } else if let blob = fields["blob"] {
      let blob = try JSONFields(blob)
      source = .blob(id: try blob.string("id"), size: try blob.int("size"))
    } else {
      throw JSONFormError(path: "", message: "one of data, url, file_id, blob is expected")
    }
    self.init(
      kind: kind, mimeType: try fields.string("mime_type"), name: try fields.stringIfPresent("name"), source: source)
  }

  var object: JSONObject {
    var object: JSONObject = ["type": "media", "kind": .string(kind.rawValue), "mime_type": .string(mimeType)]
    object.set("name", name.map { .string($0) })
    switch source {
    case .data(let base64): object["data"] = .string(base64)
    case .url(let url): object["url"] = .string(url)
    case .fileId(let id): object["file_id"] = .string(id)
    case .blob(let id, let size): object["blob"] = ["id": .string(id), "size": .number(JSONNumber(size))]
    }
    return object
  }
}
