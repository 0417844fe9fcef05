public import Martlet
import MartletJSON

extension ToolOutput {
  /// What a server's tool gave back: texts, pictures, sounds, resources and data, in its order. What a model cannot be shown
  /// is told of in words.
  public init(_ result: MCPCallResult) {
    var content = result.content.map(Self.block)
    if content.isEmpty, let data = result.structuredContent { content = [.text(data.text())] }
    self.init(
      content: content, structured: result.structuredContent, isError: result.isError,
      code: result.isError ? .toolFailed : nil)
  }

  private static func block(_ content: MCPContent) -> ContentBlock {
    switch content.value {
    case .text(let text): .text(text)
    case .image(let base64, let type): .media(Media(kind: .image, mimeType: type, source: .data(base64: base64)))
    case .audio(let base64, let type): .media(Media(kind: .audio, mimeType: type, source: .data(base64: base64)))
    case .resourceLink(let resource):
      .text(
        "[resource \(resource.uri)" + (resource.title ?? resource.name).withComma
          + (resource.mimeType ?? "").withComma + (resource.description ?? "").withComma + "]")
    case .resource(let contents): block(contents)
    case .toolUse, .toolResult, .other: .text(content.json.text())
    }
  }

  private static func block(_ contents: MCPResourceContents) -> ContentBlock {
    if let text = contents.text { return .text("[resource \(contents.uri)]\n" + text) }
    guard let base64 = contents.base64 else { return .text("[resource \(contents.uri), empty]") }
    let type = contents.mimeType ?? "application/octet-stream"
    let kind: Media.Kind? =
      type.hasPrefix("image/") ? .image : type.hasPrefix("audio/") ? .audio : type == "application/pdf" ? .file : nil
    guard let kind else { return .text("[resource \(contents.uri), \(type), \(base64.utf8.count / 4 * 3) bytes]") }
    return .media(Media(kind: kind, mimeType: type, name: contents.uri, source: .data(base64: base64)))
  }
}

extension String {
  fileprivate var withComma: String { isEmpty ? "" : ", " + self }
}

extension MCPCallResult {
  /// What a tool of ours gave back, for a client.
  public init(_ output: ToolOutput) {
    let content = output.content.compactMap { block -> MCPContent? in
      switch block.kind {
      case .text(let text): return .text(text)
      case .media(let media):
        switch (media.kind, media.source) {
        case (.image, .data(let base64)): return .image(base64: base64, mimeType: media.mimeType)
        case (.audio, .data(let base64)): return .audio(base64: base64, mimeType: media.mimeType)
        case (.file, .data(let base64)):
          return .resource(
            MCPResourceContents(uri: media.name ?? "file:result", base64: base64, mimeType: media.mimeType))
        case (_, .url(let url)): return .link(to: MCPResource(uri: url, name: media.name ?? url))
        default: return .text("[\(media.kind.rawValue), \(media.mimeType)]")
        }
      default: return nil
      }
    }
    var structured = output.structured
    // Revisions before 2026-07-28 take only objects.
    if structured?.objectValue == nil { structured = nil }
    self.init(content, structured: structured, isError: output.isError)
  }
}
