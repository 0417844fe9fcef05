import Martlet
import MartletJSON

/// A session as a text to read. What was taken back is left out.
enum SessionMarkdown {
  static func text(of records: [EventRecord]) -> String {
    var parts: [String] = []
    let gaps = LiveRecords(folding: records).gaps
    for record in records {
      if let seq = record.seq, gaps.contains(where: { $0.contains(seq) }) { continue }
      switch record.event {
      case .sessionCreated(let created):
        parts.append("# \(created.title ?? "Session \(record.session)")\n\n\(record.time)")
      case .prompt(let prompt): parts.append("## User\n\n\(prompt.message.saidText)")
      case .assistantMessage(let reply) where !reply.message.text.isEmpty:
        parts.append("## Assistant\n\n\(reply.message.text)" + (reply.interrupted ? "\n\n(cut off)" : ""))
      case .toolStarted(let started):
        parts.append(
          "### Call of \(started.call.name)\n\n" + fenced(started.call.json["arguments"]?.text() ?? "", "json"))
      case .toolFinished(let finished):
        let status = finished.result.isError ? " (\(finished.result.code?.rawValue ?? "error"))" : ""
        let text = finished.result.content.compactMap(\.text).joined(separator: "\n")
        parts.append("### Result of \(finished.name)\(status)\n\n" + fenced(text, ""))
      case .failed(let failed): parts.append("Failed: \(failed.message)")
      default: break
      }
    }
    return parts.map { $0 + "\n" }.joined(separator: "\n")
  }

  /// A block whose fence is longer than any in the text.
  private static func fenced(_ text: String, _ language: String) -> String {
    var (longest, run) = (2, 0)
    for byte in text.utf8 {
      run = byte == 0x60 ? run + 1 : 0
      longest = max(longest, run)
    }
    let fence = String(repeating: "`", count: longest + 1)
    return "\(fence)\(language)\n\(text)\n\(fence)"
  }
}
