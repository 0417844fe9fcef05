/// The name of a model, as `--model` takes it.
enum ModelReference: Sendable, Hashable {
  /// The default on-device model.
  case local
  /// An on-device model by its name in the list, or by a file's path.
  case localNamed(String)
  case localFile(path: String)
  /// A provider's; nil for the one it has as its default.
  case provider(String, id: String?)

  init(_ text: String) throws(CommandFailure) {
    if text == "local" {
      self = .local
    } else if text.hasPrefix("local:"), text.count > 6 {
      let name = String(text.dropFirst(6))
      self = name.contains("/") || name.hasSuffix(".gguf") ? .localFile(path: name) : .localNamed(name)
    } else if let slash = text.firstIndex(of: "/"), ModelProviders.names.contains(String(text[..<slash])),
      text.index(after: slash) < text.endIndex
    {
      self = .provider(String(text[..<slash]), id: String(text[text.index(after: slash)...]))
    } else if ModelProviders.names.contains(text) {
      self = .provider(text, id: nil)
    } else if text.hasSuffix(".gguf") {
      throw .usage("there is no model \(text.quotedShort); for a file, use local:\(ControlFilter.line(text))")
    } else {
      let word = text.prefix { $0 != "/" && $0 != ":" }
      let near = NearestName.of(String(word), among: ModelProviders.names + ["local"])
      throw .usage(
        "there is no model \(text.quotedShort); use local, local:NAME, local:PATH.gguf or PROVIDER/ID with one of "
          + ModelProviders.names.joined(separator: ", ") + (near.map { " (did you mean \($0)?)" } ?? ""))
    }
  }

  /// The provider that a model's name begins with, if any.
  static func provider(of text: String) -> String? {
    let word = String(text.prefix { $0 != "/" })
    return ModelProviders.names.contains(word) ? word : nil
  }

  /// An on-device model's name in events before it is opened.
  var localId: String {
    switch self {
    case .local: "default"
    case .localNamed(let name): name
    case .localFile(let path): path.split(separator: "/").last.map(String.init) ?? path
    case .provider(_, let id): id ?? "default"
    }
  }
}
