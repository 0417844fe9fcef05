import MartletJSON

/// Which files were read and which were changed, as far as calls say: every call with a `path`, by what its tool does.
/// Written as text into a summary and read from there again, so that it is carried forward.
struct FileTrail {
  private static let most = 60
  private static let readHead = "Files read: "
  private static let changedHead = "Files changed: "

  private(set) var read: [String] = []
  private(set) var changed: [String] = []

  init(_ entries: [ContextView.Entry], definition: (String) -> ToolDefinition?) {
    for entry in entries {
      if entry.isSummary {
        for block in entry.message.content where ContextNote(block) == nil { carry(block.text ?? "") }
        continue
      }
      for call in entry.message.toolCalls {
        guard case .object(let arguments) = call.arguments, let path = arguments["path"]?.stringValue, !path.isEmpty,
          !path.contains(where: \.isNewline), !path.contains(", "), !path.hasPrefix(KeptText.scheme)
        else { continue }
        if definition(call.name)?.effect == .readOnly {
          Self.add(path, to: &read)
        } else {
          Self.add(path, to: &changed)
        }
      }
    }
  }

  /// The lists as lines, the latest last; nil when nothing is known.
  var text: String? {
    let lines = [(Self.readHead, read), (Self.changedHead, changed)].filter { !$0.1.isEmpty }
    return lines.isEmpty ? nil : lines.map { $0.0 + $0.1.joined(separator: ", ") }.joined(separator: "\n")
  }

  private mutating func carry(_ text: String) {
    guard text.hasPrefix(Self.readHead) || text.hasPrefix(Self.changedHead) else { return }
    for line in text.split(separator: "\n") {
      if line.hasPrefix(Self.readHead) {
        for path in Self.paths(line.dropFirst(Self.readHead.count)) { Self.add(path, to: &read) }
      } else if line.hasPrefix(Self.changedHead) {
        for path in Self.paths(line.dropFirst(Self.changedHead.count)) { Self.add(path, to: &changed) }
      }
    }
  }

  private static func paths(_ list: Substring) -> [String] { list.split(separator: ", ").map(String.init) }

  private static func add(_ path: String, to list: inout [String]) {
    list.removeAll { $0 == path }
    list.append(path)
    if list.count > most { list.removeFirst() }
  }
}
