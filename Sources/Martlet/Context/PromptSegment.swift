import MartletJSON

/// A part of what every request of an epoch begins with, known by its hash: what providers' caches depend on (invariant
/// I2).
public struct PromptSegment: Sendable, Hashable {
  /// Which part: `model`, `tool NAME`, `instructions`, `instructions, part 2`.
  public var name: String
  /// A hash of its canonical JSON form (FNV-1a, 64 bits): equal parts have equal ones, in every process and locale. It
  /// tells changes, and is no protection against somebody who wants two parts to look the same.
  public var hash: UInt64
  /// About how many bytes it has on a wire.
  public var bytes: Int

  init(name: String, _ value: JSONValue) {
    self.name = name
    let canonical = value.bytes(.canonical)
    bytes = canonical.count
    hash = canonical.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
  }
}

extension PromptContext {
  /// The parts in the order in which requests have them.
  public var segments: [PromptSegment] {
    [PromptSegment(name: "model", .string(model))]
      + tools.map { PromptSegment(name: "tool \($0.name)", $0.promptJSON) }
      + instructions.enumerated().map { index, block in
        PromptSegment(name: index == 0 ? "instructions" : "instructions, part \(index + 1)", block.json)
      }
  }
}

extension ToolDefinition {
  /// What the model sees of it.
  fileprivate var promptJSON: JSONValue {
    ["name": .string(name), "description": .string(description), "parameters": parameters]
  }
}
