extension ToolCallParser {
  /// Bounds on what one call may take.
  public struct Limits: Sendable, Hashable {
    /// The most bytes of one call. A longer one is reported as unparsed, with its beginning. Default 4 MiB.
    public var callBytes: Int
    /// The deepest nesting of its arguments. Default 128.
    public var depth: Int

    /// Bounds.
    public init(callBytes: Int = 4 << 20, depth: Int = 128) {
      self.callBytes = callBytes
      self.depth = depth
    }
  }
}
