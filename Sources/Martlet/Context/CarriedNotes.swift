/// What the model was told beside the conversation (rules that changed, the instructions of skills that it loaded) and
/// would lose with a compaction. It is told again after the summary, word for word, as far as there is room.
struct CarriedNotes {
  /// Marks what is said about a skill's instructions, and no note that anybody looks for.
  private static let remark = "remark"

  private(set) var blocks: [ContentBlock] = []
  /// About how many bytes they have.
  private(set) var size = 0

  /// - Parameters:
  ///   - before: what was told before the compaction.
  ///   - after: what of that the view still tells.
  ///   - limit: the most bytes of notes. A skill for which there is no room is to be loaded again.
  init(_ before: ToldContext, lostIn after: ToldContext, limit: Int) {
    var left = limit
    let lost = before.names.filter { $0 != Self.remark && after[$0] != before[$0] }
    // What everything is done by comes before what some of it is done by.
    for name in lost.filter({ LoadSkillTool.skill(ofNote: $0) == nil }) {
      guard let text = before[name], text.utf8.count <= left else { continue }
      left -= text.utf8.count
      add(ContextNote(name: name, text: text))
    }
    for name in lost {
      guard let skill = LoadSkillTool.skill(ofNote: name), let text = before[name] else { continue }
      guard text.utf8.count <= left else {
        let advice = "load it again with \(LoadSkillTool.name) before you go on with what it covers"
        add(ContextNote(name: Self.remark, text: "You have loaded the skill \(skill); \(advice)."))
        continue
      }
      left -= text.utf8.count
      add(ContextNote(name: Self.remark, text: "You have loaded the skill \(skill). Its instructions:"))
      add(ContextNote(name: name, text: text))
    }
  }

  private mutating func add(_ note: ContextNote) {
    let block = note.spacedBlock
    size += block.approximateBytes
    blocks.append(block)
  }
}
