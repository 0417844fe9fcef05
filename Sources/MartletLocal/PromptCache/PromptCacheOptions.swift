/// Where an engine keeps what it computed of prompts' beginnings (instructions and tools), so that the next process with
/// the same beginning does not read them again.
///
/// Files hold the tokens of these beginnings and the model's state after them, so they are as private as the prompts: they
/// are created 0600 in a directory that is created 0700.
public struct PromptCacheOptions: Sendable, Hashable {
  /// A directory for nothing else; it is created when something is kept.
  public var directory: String
  /// The most bytes that all files have together; those that were not used for longest go first. One beginning of n tokens
  /// takes as many bytes as n tokens of context (Qwen2.5-0.5B: 12 KiB each).
  public var maximumBytes: Int

  /// A directory, and 256 MiB unless said otherwise.
  public init(directory: String, maximumBytes: Int = 256 << 20) {
    self.directory = directory
    self.maximumBytes = maximumBytes
  }
}
