#if canImport(Darwin)
  /// A place where tasks run. The standard library's `TaskExecutor` needs newer systems than Martlet does, so on Apple
  /// platforms all tasks run on the shared pool.
  public protocol PreferredExecutor: Sendable {}
#else
  /// A place where tasks run.
  public typealias PreferredExecutor = TaskExecutor
#endif

extension Task where Failure == Never {
  /// A task with its own place; nil for the shared pool.
  package init(
    on executor: (any PreferredExecutor)?,
    @_inheritActorContext operation: @Sendable @escaping @isolated(any) () async -> Success
  ) {
    #if canImport(Darwin)
      self.init(operation: operation)
    #else
      self.init(executorPreference: executor, operation: operation)
    #endif
  }
}
