/// What is different at the beginning of requests, and from where on a provider's cache does not help any more.
struct PrefixChange: Sendable, Hashable {
  /// What moved, in words.
  var moves: [String]
  /// About how many bytes of the new prefix come before the first difference.
  var commonBytes: Int

  /// The difference between two contexts; nil when requests begin alike.
  init?(from old: PromptContext, to new: PromptContext) {
    self.init(from: old.segments, to: new.segments)
  }

  private init?(from old: [PromptSegment], to new: [PromptSegment]) {
    guard old.map(\.hash) != new.map(\.hash) || old.map(\.name) != new.map(\.name) else { return nil }
    let before = Dictionary(old.map { ($0.name, $0.hash) }) { first, _ in first }
    let after = Set(new.map(\.name))
    moves =
      new.compactMap { segment in
        guard let hash = before[segment.name] else { return "\(segment.name) was added" }
        return hash == segment.hash ? nil : "\(segment.name) changed"
      } + old.filter { !after.contains($0.name) }.map { "\($0.name) was removed" }
    if moves.isEmpty { moves = ["the order changed"] }
    commonBytes = zip(old, new).prefix { $0 == $1 }.reduce(0) { $0 + $1.0.bytes }
  }

  /// The difference between two conversations; nil when the later one begins with the earlier one.
  init?(from old: MessageHistory, to new: some RandomAccessCollection<Message>) {
    let common = zip(old, new).prefix { $0 == $1 }
    guard common.count < old.count else { return nil }
    moves = ["messages from number \(common.count + 1) on were replaced"]
    commonBytes = common.reduce(0) { $0 + $1.0.approximateBytes }
  }

  /// What is told of it.
  /// - Parameter tokens: of the request that come after what is common, so that they have to be read anew.
  func warning(tokens: Int) -> Warning {
    let list = moves.prefix(6).joined(separator: ", ") + (moves.count > 6 ? ", and \(moves.count - 6) more" : "")
    return Warning(
      code: "prefix_changed",
      message: "the beginning of the prompt changed (\(list)): about \(tokens) tokens are not in the provider's cache")
  }
}

/// Watches that requests of one epoch begin with the ones before them (invariant I2): by construction they do, so anything
/// else is a defect that somebody should hear of.
struct PrefixMonitor: Sendable {
  private var last: ModelRequest?

  /// Takes a request about to be made; gives what is wrong with it.
  mutating func take(_ request: ModelRequest) -> Warning? {
    defer { last = request }
    guard let last, last.prefix == request.prefix else { return nil }
    var moves: [String] = []
    if last.tools != request.tools { moves.append("the tools") }
    if last.instructions != request.instructions { moves.append("the instructions") }
    // The last message stands for all before it: histories only change from some message on.
    let count = last.messages.count
    if count > request.messages.count || (count > 0 && last.messages[count - 1] != request.messages[count - 1]) {
      moves.append("earlier messages")
    }
    guard !moves.isEmpty else { return nil }
    return Warning(
      code: "prefix_changed",
      message: "\(moves.joined(separator: ", ")) changed within an epoch, so the provider's cache does not help")
  }
}
