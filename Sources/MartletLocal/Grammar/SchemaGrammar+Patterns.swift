import MartletJSON

extension SchemaGrammar {
  /// A string that matches a regular expression, or `nil` where only validation can tell (lookaround, word boundaries).
  mutating func patterned(_ source: String, at path: String) throws(SchemaGrammarError) -> String? {
    nil
  }
}
