/// What a dialect looks like: the markers that are not prose, and whether calls may stand without any.
struct DialectGrammar: Sendable {
  var markers: MarkerSet
  /// Markers that end thinking which was left open, each a single special token of its model.
  var thinkingEnds: [Marker]
  /// Literals that close thinking the prompt opened.
  var thinkingClosers: [[UInt8]]
  /// Literals that open thinking.
  var thinkingOpeners: [[UInt8]]
  var readsBareCalls: Bool

  init(_ markers: [Marker], readsBareCalls: Bool = false) {
    let markers = markers + Self.thinkingTags
    self.markers = MarkerSet(markers)
    thinkingEnds = markers.filter(\.endsThinking)
    thinkingClosers = markers.compactMap { if case .endOfThinking = $0.action { $0.literal } else { nil } }
    thinkingOpeners = markers.compactMap { if case .thinking = $0.action { $0.literal } else { nil } }
    self.readsBareCalls = readsBareCalls
  }

  /// Thinking in tags that any model may be told to use. Talk *about* the tags comes in backticks or quotes.
  private static let thinkingTags =
    Marker.thinking("<think>", "</think>", .notQuoted) + Marker.thinking("<thinking>", "</thinking>", .notQuoted)

  static func grammar(of dialect: ToolCallDialect) -> DialectGrammar {
    switch dialect {
    case .auto: auto
    case .hermes: hermes
    case .llama3: llama3
    case .json: json
    case .mistral: mistral
    case .deepSeek: deepSeek
    case .gemma: gemma
    case .granite: granite
    case .phi: phi
    case .commandR: commandR
    case .glm: glm
    case .kimi: kimi
    case .miniMax: miniMax
    case .qwenCoder: qwenCoder
    case .harmony: harmony
    }
  }

  /// Every marker that means a call in one dialect and nothing in another, and JSON that names an offered tool.
  /// Where two dialects share a marker, the bytes after it tell them apart.
  static let auto = DialectGrammar(
    hermesMarkers + llamaMarkers + mistralMarkers + deepSeekMarkers + gemmaMarkers + graniteMarkers + phiMarkers
      + commandRMarkers(offeredOnly: true) + kimiMarkers + miniMaxMarkers + qwenCoderMarkers + harmonyMarkers
      + glmMarkers + jsonMarkers,
    readsBareCalls: true)
}
