/// Weighs the evidence for a call: which tool fits, and whether any does.
///
/// The constants are those of a logistic regression; see `docs/on-device.md` for the data.
package struct CallRule: Sendable, Hashable {
  /// Which tool: how much the model's habit of naming it (without a question) counts against it.
  package var habit = 0.8
  /// Which tool: what one shared word counts.
  package var sharedWord = 2.5
  /// Which tool: what one word counts that is shared only with what is said of the arguments.
  package var sharedArgumentWord = 0.7
  /// Which tool: what it counts that all words of its name were said.
  package var saidName = 4.0

  package init() {}

  /// What is known about one tool and one question.
  package struct Evidence: Sendable, Hashable {
    /// The log-probability that the model names the tool after the question, and after none.
    package var named: Double
    package var namedWithout: Double
    /// Words of meaning that the question shares with the tool's name, with its name and description, and with all that
    /// the tool says of itself.
    package var sharedWithName: Int
    package var sharedWithDescription: Int
    package var sharedWithAll: Int
    /// Words of meaning in the name and in the question.
    package var nameWords: Int
    package var questionWords: Int
    /// How far the required values come from the question, 0 to 1; 0.6 where there are none.
    package var grounding = 0.6
    /// The smallest of them.
    package var leastGrounding = 0.6
    /// Whether any value comes from the question; taken for granted until a call was written.
    package var hasSaidValue = true

    /// The share of the name's words that were said.
    var nameShare: Double { Double(sharedWithName) / Double(max(1, nameWords)) }
  }

  /// How well a tool fits, to compare with others.
  func fit(_ evidence: Evidence) -> Double {
    evidence.named - habit * evidence.namedWithout + sharedWord * Double(evidence.sharedWithDescription)
      + sharedArgumentWord * Double(evidence.sharedWithAll - evidence.sharedWithDescription)
      + saidName * evidence.nameShare
  }

  /// The log-odds that calling is right, shifted so that zero is where nearly all right calls are made. A question that has
  /// no word in common with the tool and its call must be all the more convincing: it may be a greeting.
  func logOdds(_ evidence: Evidence) -> Double {
    let ofQuestion = Double(evidence.sharedWithAll) / Double(max(1, evidence.questionWords))
    let silence = evidence.sharedWithAll == 0 && !evidence.hasSaidValue ? 1.0 : 0
    let surprise = min(15, max(-15, evidence.named - evidence.namedWithout))
    return 0.58 * surprise + 3.57 * evidence.nameShare + 1.29 * ofQuestion + 0.94 * evidence.grounding
      + 1.56 * evidence.leastGrounding - 2.0 - silence
  }
}
