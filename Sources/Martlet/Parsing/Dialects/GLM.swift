// GLM 4.5 to 4.7 (Z.ai's chat templates).
extension DialectGrammar {
  static let glm = DialectGrammar(hermesMarkers + glmMarkers)

  static let glmMarkers: [Marker] = ["<|observation|>", "<|user|>"].map { .drop($0) }
}
