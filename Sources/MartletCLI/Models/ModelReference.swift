/// The name of a model, as `--model` takes it.
enum ModelReference: Sendable, Hashable {
  /// The default on-device model.
  case local
  /// An on-device model by its name in the list, or by a file's path.
  case localNamed(String)
  case localFile(path: String)
  /// A provider's.
  case provider(String, id: String)

  static let providers = ["anthropic", "openai", "openai-chat", "gemini", "ollama"]

  init(_ text: String) throws(CommandFailure) {
    if text == "local" {
      self = .local
    } else if text.hasPrefix("local:"), text.count > 6 {
      let name = String(text.dropFirst(6))
      self = name.contains("/") || name.hasSuffix(".gguf") ? .localFile(path: name) : .localNamed(name)
    } else if let slash = text.firstIndex(of: "/"), Self.providers.contains(String(text[..<slash])),
      text.index(after: slash) < text.endIndex
    {
      self = .provider(String(text[..<slash]), id: String(text[text.index(after: slash)...]))
    } else if text.hasSuffix(".gguf") {
      throw .usage("there is no model \(text.quotedShort); for a file, use local:\(ControlFilter.line(text))")
    } else {
      let word = text.prefix { $0 != "/" && $0 != ":" }
      let near = NearestName.of(String(word), among: Self.providers + ["local"])
      throw .usage(
        "there is no model \(text.quotedShort); use local, local:NAME, local:PATH.gguf or PROVIDER/ID with one of "
          + Self.providers.joined(separator: ", ") + (near.map { " (did you mean \($0)?)" } ?? ""))
    }
  }
}
