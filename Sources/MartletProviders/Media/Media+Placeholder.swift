import Martlet

extension Media {
  /// What stands for media that a model cannot be sent.
  var placeholder: String {
    switch source {
    case .blob(let id, let size): "[\(kind.rawValue) \(name ?? id), \(size) bytes, not loaded]"
    case .data, .url, .fileId: "[\(kind.rawValue) \(name ?? mimeType): this model cannot read it]"
    }
  }
}
