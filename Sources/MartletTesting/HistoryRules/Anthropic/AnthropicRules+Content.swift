import MartletJSON

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension AnthropicRules {
  static let content = [
    nonEmptyText, textWithWords, callInput, callID, callName, resultContent, errorContent, images, documents,
    cacheBreakpoints,
    cachePlaces, documentPlace, citationPlace,
  ]

  /// Text blocks of messages, of results and of the instructions.
  private static func texts(_ request: AnthropicRequest) -> [(place: String, block: JSONValue)] {
    let system = AnthropicRequest.blocks(request.json["system"]).filter { $0.type == "text" }
    let messages = request.blocks.flatMap { block in
      block.isResult ? AnthropicRequest.blocks(block.json["content"]) : [block.json]
    }
    return system.map { ("system", $0) } + messages.filter { $0.type == "text" }.map { ("messages", $0) }
  }

  private static func hasCitations(_ block: JSONValue) -> Bool { !block.elements("citations").isEmpty }

  static let nonEmptyText = WireRule<AnthropicRequest>(
    "non_empty_text", source: "Messages API; wording as answered by the API"
  ) { request, rule in
    // A content that is one empty string is an empty message, which has a rule of its own.
    let isString = request.messages.contains { $0.text("content") == "" }
    guard !isString,
      let (place, _) = texts(request).first(where: { $0.block.text("text") == "" && !hasCitations($0.block) })
    else { return [] }
    return [invalid(rule, "\(place): text content blocks must be non-empty")]
  }

  static let textWithWords = WireRule<AnthropicRequest>(
    "text_with_words", source: "Messages API; wording as answered by the API"
  ) { request, rule in
    let blank = texts(request).first {
      let text = $0.block.text("text") ?? ""
      return !text.isEmpty && text.isBlank && !hasCitations($0.block)
    }
    guard let (place, _) = blank else { return [] }
    return [invalid(rule, "\(place): text content blocks must contain non-whitespace text")]
  }

  static let callInput = WireRule<AnthropicRequest>(
    "call_input", source: "Messages API reference, tool_use.input; wording as the API's validator's"
  ) { request, rule in
    request.blocks.filter { $0.type == "tool_use" && $0.json["input"]?.objectValue == nil }.map {
      invalid(rule, "\($0.path).tool_use.input: Input should be a valid dictionary")
    }
  }

  static let callID = WireRule<AnthropicRequest>(
    "call_id", source: "Messages API reference, tool_use.id; wording as answered by the API"
  ) { request, rule in
    request.blocks.compactMap { block in
      let key = block.type == "tool_use" ? "id" : block.isResult ? "tool_use_id" : ""
      guard !key.isEmpty, !(block.json.text(key) ?? "").isPlainName else { return nil }
      return invalid(rule, "\(block.path).\(block.type).\(key): String should match pattern '^[a-zA-Z0-9_-]+$'")
    }
  }

  static let callName = WireRule<AnthropicRequest>(
    "call_name", source: "Messages API reference, tool_use.name; wording as the API's validator's"
  ) { request, rule in
    request.blocks.compactMap { block in
      guard block.type == "tool_use" else { return nil }
      let name = block.json.text("name") ?? ""
      if name.isEmpty { return invalid(rule, "\(block.path).tool_use.name: String should have at least 1 character") }
      guard name.count > 200 else { return nil }
      return invalid(rule, "\(block.path).tool_use.name: String should have at most 200 characters")
    }
  }

  private static let resultTypes: Set<String> = [
    "text", "image", "document", "search_result", "tool_reference", "browser_state",
  ]

  static let resultContent = WireRule<AnthropicRequest>(
    "result_content", source: "Messages API reference, tool_result.content; wording as the API's validator's"
  ) { request, rule in
    request.blocks.filter(\.isResult).flatMap { block in
      block.json.elements("content").enumerated().compactMap { index, part in
        resultTypes.contains(part.type)
          ? nil
          : invalid(
            rule,
            "\(block.path).tool_result.content.\(index): Input tag '\(part.type)' found using 'type' does not match any of the expected tags: 'document', 'image', 'search_result', 'text', 'tool_reference'"
          )
      }
    }
  }

  static let errorContent = WireRule<AnthropicRequest>(
    "error_content", source: "Messages API; wording as reported publicly"
  ) { request, rule in
    request.blocks.filter { block in
      block.isResult && block.json["is_error"] == true
        && block.json.elements("content").contains { $0.type != "text" }
    }.map { invalid(rule, "\($0.path).tool_result: all content must be type \"text\" if \"is_error\" is true") }
  }

  /// The first characters of base64 data by what it holds.
  private static let magic: [(type: String, prefix: String)] = [
    ("image/png", "iVBORw0KGgo"), ("image/jpeg", "/9j/"), ("image/gif", "R0lGOD"), ("image/webp", "UklGR"),
  ]
  private static let imageLength = 10 * 1024 * 1024
  private static let longestSide = 8_000
  private static let fewImages = 20
  private static let longestSideOfMany = 2_000

  /// Blocks of a type, in messages and in results, with their places.
  private static func blocks(of type: String, in request: AnthropicRequest) -> [(path: String, block: JSONValue)] {
    request.blocks.flatMap { block -> [(String, JSONValue)] in
      if block.type == type { return [(block.path, block.json)] }
      return block.json.elements("content").enumerated().filter { $0.element.type == type }.map {
        ("\(block.path).tool_result.content.\($0.offset)", $0.element)
      }
    }
  }

  /// Images are JPEG, PNG, GIF or WebP, as their type says, of at most 10 MB and 8,000 pixels; where there are many, none
  /// is larger than 2,000 pixels.
  static let images = WireRule<AnthropicRequest>(
    "images", source: "Documentation, vision limits; wording as answered by the API"
  ) { request, rule in
    let images = blocks(of: "image", in: request)
    return images.compactMap { path, image in
      guard let source = image["source"] else { return nil }
      if source.type == "url", source.text("url")?.hasPrefix("https://") != true {
        return invalid(rule, "\(path).image.source.url.url: Only HTTPS URLs are supported.")
      }
      guard source.type == "base64" else { return nil }
      let type = source.text("media_type") ?? ""
      guard let expected = magic.first(where: { $0.type == type }) else {
        return invalid(
          rule,
          "\(path).image.source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'"
        )
      }
      let data = source.text("data") ?? ""
      if data.utf8.count > imageLength {
        return invalid(
          rule,
          "\(path).image.source.base64: image exceeds 10 MB maximum: \(data.utf8.count) bytes > \(imageLength) bytes"
        )
      }
      guard data.hasPrefix(expected.prefix) else {
        return invalid(
          rule,
          magic.contains(where: { data.hasPrefix($0.prefix) })
            ? "\(path).image.source.base64.data: Image does not match the provided media type \(type)"
            : "\(path).image.source.base64.data: Could not process image")
      }
      let side = longestSide(ofPNG: data)
      if side > longestSide {
        return invalid(
          rule,
          "\(path).image.source.base64.data: At least one of the image dimensions exceed max allowed size: \(longestSide) pixels"
        )
      }
      guard images.count > fewImages, side > longestSideOfMany else { return nil }
      return invalid(
        rule,
        "\(path).image.source.base64.data: At least one of the image dimensions exceed max allowed size for many-image requests: \(longestSideOfMany) pixels"
      )
    }
  }

  /// Of a PNG file, its longer side in pixels; 0 for what does not say.
  private static func longestSide(ofPNG base64: String) -> Int {
    let start = String(base64.prefix(32))
    guard start.utf8.count == 32, start.hasPrefix("iVBORw0KGgo"), let bytes = Data(base64Encoded: start) else {
      return 0
    }
    func number(_ offset: Int) -> Int { (0..<4).reduce(0) { $0 << 8 | Int(bytes[offset + $1]) } }
    return max(number(16), number(20))
  }

  /// Documents are PDF files as base64, or texts as they are.
  static let documents = WireRule<AnthropicRequest>(
    "documents", source: "Messages API reference, document.source; wording as the API's validator's"
  ) { request, rule in
    blocks(of: "document", in: request).compactMap { path, document in
      guard let source = document["source"] else { return invalid(rule, "\(path).document.source: Field required") }
      switch (source.type, source.text("media_type")) {
      case ("base64", "application/pdf"), ("text", "text/plain"), ("url", _), ("file", _), ("content", _): return nil
      case ("base64", _):
        return invalid(rule, "\(path).document.source.base64.media_type: Input should be 'application/pdf'")
      case ("text", _):
        return invalid(rule, "\(path).document.source.text.media_type: Input should be 'text/plain'")
      default: return invalid(rule, "\(path).document.source: Input tag '\(source.type)' is not expected")
      }
    }
  }

  static let cacheBreakpoints = WireRule<AnthropicRequest>(
    "cache_breakpoints", source: "Documentation, prompt caching; wording as answered by the API"
  ) { request, rule in
    let blocks =
      request.tools + AnthropicRequest.blocks(request.json["system"])
      + request.blocks.flatMap { [$0.json] + $0.json.elements("content") }
    let count = ([request.json] + blocks).filter { $0.present("cache_control") != nil }.count
    guard count > 4 else { return [] }
    return [invalid(rule, "A maximum of 4 blocks with cache_control may be provided. Found \(count).")]
  }

  static let cachePlaces = WireRule<AnthropicRequest>(
    "cache_places", source: "Documentation, prompt caching; wording as answered by the API"
  ) { request, rule in
    request.blocks.compactMap { block in
      guard block.json.present("cache_control") != nil else { return nil }
      if block.isThinking {
        return invalid(rule, "\(block.path).\(block.type).cache_control: Extra inputs are not permitted")
      }
      guard block.type == "text", block.json.text("text") == "" else { return nil }
      return invalid(rule, "\(block.path).text: cache_control cannot be set for empty text blocks")
    }
  }

  static let documentPlace = WireRule<AnthropicRequest>(
    "document_place", source: "Release notes of version 2026-10-21; the wording is ours"
  ) { request, rule in
    guard request.isNewVersion else { return [] }
    return request.turns.filter { $0.role == "assistant" }.flatMap(\.blocks).filter { $0.type == "document" }.map {
      invalid(rule, "\($0.path): `document` blocks are not allowed in assistant messages")
    }
  }

  static let citationPlace = WireRule<AnthropicRequest>(
    "citation_place", source: "Release notes of version 2026-10-21; the wording is ours"
  ) { request, rule in
    guard request.isNewVersion else { return [] }
    return request.turns.filter { $0.role == "user" }.flatMap(\.blocks).filter { block in
      block.type == "text" && hasCitations(block.json)
    }.map { invalid(rule, "\($0.path).text.citations: citations are not allowed in user messages") }
  }
}
