#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// How a model is opened.
public struct EngineOptions: Sendable, Hashable {
  /// The most tokens prompt and reply may have together; `nil` takes 8,192 or what the model was trained for,
  /// whichever is less. Memory grows with it (Qwen2.5-0.5B: 12 KiB a token).
  public var contextLength: Int?
  /// Threads that compute. The default is one less than the machine has cores, and at least one: with all cores in use
  /// a busy machine falls from about 40 tokens a second to 3, since the threads wait for each other.
  public var threads: Int
  /// The most prompt tokens that are computed in one step.
  public var batch: Int

  public init(contextLength: Int? = nil, threads: Int = Self.defaultThreads, batch: Int = 256) {
    self.contextLength = contextLength
    self.threads = max(1, threads)
    self.batch = max(1, batch)
  }

  /// One less than the cores that are online, and at least one.
  public static let defaultThreads = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))) - 1)

  static let defaultContextLength = 8192
}
