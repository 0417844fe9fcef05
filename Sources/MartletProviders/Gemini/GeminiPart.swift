import Martlet
import MartletJSON

/// The parts of Gemini's contents and our blocks: one made of the other, without loss.
///
/// A part's signature and whatever else it carries is kept in the block's extra as `part`; of a call, what stands beside its
/// name and arguments (an id that Gemini gave) as `call`. Signatures are bound to the model.
struct GeminiPart {
  let model: String

  // MARK: - From parts

  /// The block of a part that stands alone.
  func block(of part: JSONObject, names: WireNames) -> ContentBlock {
    if let call = part["functionCall"]?.objectValue {
      return callBlock(call, arguments: call["args"]?.objectValue ?? [:], part: part, names: names)
    }
    if let text = part["text"]?.stringValue { return textBlock(text, part: part) }
    if let data = part["inlineData"], let type = data["mimeType"]?.stringValue, let base64 = data["data"]?.stringValue {
      let kind: Media.Kind = type.hasPrefix("image/") ? .image : type.hasPrefix("audio/") ? .audio : .file
      return ContentBlock(
        .media(Media(kind: kind, mimeType: type, source: .data(base64: base64))),
        extra: extra(["part": .object(rest(of: part, without: ["inlineData"]))], isBound: true))
    }
    return ContentBlock(
      .opaque(OpaqueBlock(provider: Gemini.provider, value: .object(part))),
      extra: BlockExtra(provider: Gemini.provider, model: model, value: [:]))
  }

  func textBlock(_ text: String, part: JSONObject, metadata: JSONObject = [:]) -> ContentBlock {
    let kept = rest(of: part, without: ["text", "thought"])
    var value = JSONObject()
    if !kept.isEmpty { value["part"] = .object(kept) }
    if !metadata.isEmpty { value["metadata"] = .object(metadata) }
    let extra = value.isEmpty ? nil : extra(value, isBound: !kept.isEmpty)
    return part["thought"] == true
      ? ContentBlock(.thinking(Thinking(text: text)), extra: extra) : ContentBlock(.text(text), extra: extra)
  }

  func callBlock(_ call: JSONObject, arguments: JSONObject, part: JSONObject, names: WireNames) -> ContentBlock {
    var value = JSONObject()
    let kept = rest(of: part, without: ["functionCall"])
    if !kept.isEmpty { value["part"] = .object(kept) }
    let beside = rest(of: call, without: ["name", "args", "partialArgs", "willContinue"])
    if !beside.isEmpty { value["call"] = .object(beside) }
    // Gemini's calls mostly have no ids; whoever keeps the conversation gives them one.
    let id = call["id"]?.stringValue ?? ""
    return ContentBlock(
      .toolCall(
        ToolCall(id: id, name: names.name(forWire: call["name"]?.stringValue ?? ""), arguments: .object(arguments))),
      extra: value.isEmpty ? nil : extra(value, isBound: !kept.isEmpty))
  }

  private func rest(of object: JSONObject, without keys: [String]) -> JSONObject {
    var rest = object
    for key in keys { rest.removeValue(forKey: key) }
    return rest
  }

  private func extra(_ value: JSONObject, isBound: Bool) -> BlockExtra {
    BlockExtra(provider: Gemini.provider, model: isBound ? model : nil, value: .object(value))
  }

  // MARK: - From blocks

  /// The extra of a block that this model made; `value` stays when only the model differs, without what is bound to it.
  func own(_ block: ContentBlock) -> JSONValue? {
    guard let extra = block.extra, extra.provider == Gemini.provider else { return nil }
    guard let bound = extra.model, bound != model else { return extra.value }
    var value = extra.value.objectValue ?? [:]
    value.removeValue(forKey: "part")
    return .object(value)
  }

  /// A part with what came beside its data.
  static func part(_ data: JSONObject, _ own: JSONValue?) -> JSONObject {
    var part = data
    for (key, value) in own?["part"]?.objectValue ?? [:] { part[key] = value }
    return part
  }
}
