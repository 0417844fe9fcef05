import MartletSync

/// A model that runs in this process, with the memory of what it has read.
///
/// One conversation at a time computes; others wait their turn. Everything runs on a thread of the engine's own.
package actor Engine {
  private let executor: QueueExecutor
  package nonisolated let model: EngineModel
  package nonisolated let options: EngineOptions
  private var context: EngineContext?

  package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Loads a GGUF file.
  /// - Throws: `EngineError`, `CancellationError`.
  package static func open(_ path: String, options: EngineOptions = EngineOptions()) async throws -> Engine {
    let loader = Loader()
    let engine = Engine(executor: loader.executor, model: try await loader.load(path), options: options)
    try await engine.start()
    return engine
  }

  private init(executor: QueueExecutor, model: EngineModel, options: EngineOptions) {
    self.executor = executor
    self.model = model
    self.options = options
  }

  private func start() throws {
    context = try EngineContext(model: model, options: options)
  }

  /// Computes. `body` runs on the engine's thread, alone, as part of the calling task: when that is cancelled, whatever
  /// the context is doing throws `CancellationError` at once and its memory stays right.
  package func withContext<R>(_ body: sending (EngineContext) throws -> sending R) throws -> sending R {
    guard let context else { throw EngineError(.closed, "The model was closed; open it again.") }
    return try body(context)
  }

  /// Frees the context's memory; the model's goes with the last reference to it. What is running finishes first, so
  /// cancel it before.
  package func close() {
    context = nil
  }

  private actor Loader {
    nonisolated let executor = QueueExecutor("martlet.engine")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func load(_ path: String) throws -> EngineModel { try EngineModel(path: path) }
  }
}
