import Martlet
import MartletJSON

/// Finds the tool that fits what was said, by what the model expects and by the words they share.
struct ToolChooser {
  let tools: [ToolDefinition]
  let rule: CallRule
  private let words: [(name: WordSet, description: WordSet, all: WordSet)]

  init(_ tools: [ToolDefinition], rule: CallRule) {
    self.tools = tools
    self.rule = rule
    words = tools.map { tool in
      let name = WordSet(tool.name)
      let description = name.union(WordSet(tool.description))
      let arguments = (tool.parameters["properties"]?.objectValue ?? [:]).map { name, schema in
        "\(name) \(schema["description"]?.stringValue ?? "")"
      }
      return (name, description, description.union(WordSet(arguments.joined(separator: " "))))
    }
  }

  /// The evidence for each tool.
  /// - Parameters:
  ///   - named: the log-probability that the model writes the tool's name next.
  ///   - namedWithout: the same after a question about nothing.
  func evidence(said: String, named: [Double], namedWithout: [Double]) -> [CallRule.Evidence] {
    let question = WordSet(said)
    return tools.indices.map { index in
      CallRule.Evidence(
        named: named[index], namedWithout: namedWithout[index],
        sharedWithName: question.shared(with: words[index].name),
        sharedWithDescription: question.shared(with: words[index].description),
        sharedWithAll: question.shared(with: words[index].all),
        nameWords: words[index].name.count, questionWords: question.count)
    }
  }

  /// The tool that fits best.
  func best(_ evidence: [CallRule.Evidence]) -> Int? {
    evidence.indices.max { rule.fit(evidence[$0]) < rule.fit(evidence[$1]) }
  }
}
