import MartletSync

/// What a process has written so far.
final class Output: Sendable {
  private let state = Locked((bytes: [UInt8](), isOver: false))

  var text: String { String(decoding: state.withLock { $0.bytes }, as: UTF8.self) }
  var isOver: Bool { state.withLock { $0.isOver } }

  func append(_ bytes: [UInt8]) { state.withLock { $0.bytes += bytes } }
  func end() { state.withLock { $0.isOver = true } }
}
