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
  /// Threads that read prompts while the machine has nothing else to do; for each other thread that runs there is one less,
  /// down to `threads`, where the system tells (Linux). The default is all cores. Measured on two cores: 129 tokens a
  /// second with one thread, 254 with two; while other programs kept both cores busy, 45 and 28.
  public var promptThreads: Int
  /// The most prompt tokens that are computed in one step.
  public var batch: Int
  /// Where to keep what was computed of prompts' beginnings for later processes; `nil`, the default, keeps nothing.
  public var promptCache: PromptCacheOptions?

  /// Options; every argument has a default, and numbers below 1 count as 1.
  public init(
    contextLength: Int? = nil, threads: Int = Self.defaultThreads, promptThreads: Int? = nil, batch: Int = 256,
    promptCache: PromptCacheOptions? = nil
  ) {
    self.contextLength = contextLength
    self.threads = max(1, threads)
    self.promptThreads = max(1, promptThreads ?? max(threads, Self.allCores))
    self.batch = max(1, batch)
    self.promptCache = promptCache
  }

  /// The cores that are online.
  public static let allCores = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
  /// One less than the cores that are online, and at least one.
  public static let defaultThreads = max(1, allCores - 1)

  static let defaultContextLength = 8192
}
