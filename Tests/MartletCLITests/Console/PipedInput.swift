import Foundation

@testable import MartletCLI

/// A `LineInput` whose other end a test writes to.
final class PipedInput: Sendable {
  let input: LineInput
  private let end: Int32

  init(limit: Int = 1 << 20) throws {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw POSIXError(.EMFILE) }
    input = LineInput(descriptor: ends[0], ownsDescriptor: true, limit: limit)
    end = dup(ends[1])
    close(ends[1])
  }

  func type(_ text: String) throws { try FileDescriptorSink(descriptor: end).write(text) }

  func finish() { close(end) }
}
