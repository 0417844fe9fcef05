/// Something that was said to the model and still counts, with where it begins.
public struct SessionTurn: Sendable, Hashable {
  /// The number of its `prompt` record.
  public let seq: Int
  /// The last record before it: to fork at or to rewind to when something else is to be said instead.
  public let before: Int
  /// What was said.
  public let message: Message
}

/// Finds the turns of a log. What is said into a run that is under way belongs to that run's turn.
struct SessionTurns {
  private var all: [SessionTurn] = []
  private var live = LiveRecords()
  /// The beginning of a run whose prompt has not come yet.
  private var runStart: Int?
  private var isAnswered = false

  /// The turns that count, oldest first.
  var turns: [SessionTurn] {
    let gaps = live.gaps
    return all.filter { turn in !gaps.contains { $0.contains(turn.seq) } }
  }

  /// Takes the next record.
  mutating func take(_ record: EventRecord) {
    guard let seq = record.seq else { return }
    live.take(record)
    switch record.event {
    case .runStarted: (runStart, isAnswered) = (seq, false)
    case .assistantMessage(let reply): isAnswered = reply.message.toolCalls.isEmpty && !reply.interrupted
    case .prompt(let prompt):
      // Without what was added about the world around the conversation.
      let said = Message(
        role: prompt.message.role, content: prompt.message.content.filter { ContextNote($0) == nil })
      if let start = runStart {
        all.append(SessionTurn(seq: seq, before: start - 1, message: said))
      } else if isAnswered, prompt.queueId != nil {
        all.append(SessionTurn(seq: seq, before: seq - 1, message: said))
      }
      (runStart, isAnswered) = (nil, false)
    default: break
    }
  }
}
