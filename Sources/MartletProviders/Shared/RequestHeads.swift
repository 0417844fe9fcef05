import Martlet
import MartletSync

/// The encoded beginnings of a model's requests, by what they are made of: within an epoch all requests have the same.
final class RequestHeads: Sendable {
  /// Beginnings kept; the one used longest ago goes first.
  private static let capacity = 16

  private struct Entry {
    let instructions: [ContentBlock]
    let tools: [ToolDefinition]
    let head: RequestHead
  }

  /// The one used last stands last.
  private let entries = Locked<[Entry]>([])

  /// The beginning of a request with these instructions and tools, which `make` makes of them and of nothing else that
  /// changes. It is found again for the very same arrays, not for equal ones: those may be written otherwise.
  func head(instructions: [ContentBlock] = [], tools: [ToolDefinition], make: () -> RequestHead) -> RequestHead {
    let known = entries.withLock { entries -> RequestHead? in
      guard
        let index = entries.lastIndex(where: { $0.tools.isSame(as: tools) && $0.instructions.isSame(as: instructions) })
      else { return nil }
      let entry = entries[index]
      if index != entries.count - 1 {
        entries.remove(at: index)
        entries.append(entry)
      }
      return entry.head
    }
    if let known { return known }
    let head = make()
    entries.withLock { entries in
      if entries.count == Self.capacity { entries.removeFirst() }
      entries.append(Entry(instructions: instructions, tools: tools, head: head))
    }
    return head
  }
}

extension Array {
  /// Whether both are the same storage. As long as both live, that cannot be by chance.
  fileprivate func isSame(as other: Self) -> Bool {
    withUnsafeBufferPointer { this in
      other.withUnsafeBufferPointer { this.count == $0.count && this.baseAddress == $0.baseAddress }
    }
  }
}
