import MartletHTTP

/// The events of one stream of a session, for a client that comes back. Pure.
///
/// Ids name the stream and the place in it, so that what is replayed is of that stream alone.
struct EventLog: Sendable {
  let key: String
  private let limit: Int
  private var events: [(place: Int, bytes: [UInt8])] = []
  /// The place of the last event.
  private(set) var last = 0
  /// No more events come.
  private(set) var hasEnded = false

  init(key: String, limit: Int) {
    self.key = key
    self.limit = max(1, limit)
  }

  /// The stream and the place that an id names.
  static func parse(_ id: String) -> (key: String, place: Int)? {
    let parts = id.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, let place = Int(parts[1]), place >= 0 else { return nil }
    return (String(parts[0]), place)
  }

  private mutating func nextID() -> String {
    last += 1
    return "\(key)-\(last)"
  }

  /// An event that only tells where to take up the stream again. It is not kept: it says nothing.
  mutating func prime(retry: Duration?) -> [UInt8] { EventText.priming(id: nextID(), retry: retry) }

  mutating func append(_ message: MCPMessage) -> [UInt8] {
    let bytes = EventText.event(message, id: nextID())
    events.append((last, bytes))
    if events.count > limit { events.removeFirst(events.count - limit) }
    return bytes
  }

  mutating func end() { hasEnded = true }

  /// What came after a place.
  func events(after place: Int) -> [[UInt8]] { events.filter { $0.place > place }.map(\.bytes) }
}
