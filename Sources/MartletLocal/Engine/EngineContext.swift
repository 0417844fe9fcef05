import CLlama

/// What a model has read so far (its key-value cache), and what it expects next.
///
/// Not for more than one task at a time: it lives inside `Engine.withContext`.
package final class EngineContext {
  package let model: EngineModel
  private let handle: OpaquePointer
  private let memory: llama_memory_t?
  private let batch: Int
  private let threads: Int
  private let promptThreads: Int
  /// What earlier processes computed; `nil` where nothing is kept.
  let promptCache: PromptCache?
  /// Whether it can forget its last tokens alone.
  let canGoBack: Bool

  /// The tokens in the cache, in order.
  package private(set) var tokens: [Token] = []
  /// The most tokens the cache holds.
  package let capacity: Int

  /// The expectations after the last token where the engine's own buffer holds others by now.
  private var heldLogits: [Float]?
  private var hasLogits = false

  /// Sequences that `logProbabilities(ofContinuations:)` compares at once, beside the conversation itself.
  private static let branches = 15

  package init(model: EngineModel, options: EngineOptions) throws {
    self.model = model
    threads = options.threads
    promptThreads = options.promptThreads
    var parameters = llama_context_default_params()
    let length = options.contextLength ?? min(EngineOptions.defaultContextLength, model.trainedContextLength)
    parameters.n_ctx = UInt32(clamping: max(1, length))
    parameters.n_batch = UInt32(clamping: options.batch)
    parameters.n_ubatch = parameters.n_batch
    parameters.n_threads = Int32(clamping: options.threads)
    parameters.n_threads_batch = Int32(clamping: options.promptThreads)
    parameters.n_seq_max = UInt32(1 + Self.branches)
    parameters.kv_unified = true
    parameters.swa_full = true  // or models with sliding windows could not go back
    parameters.no_perf = true
    // Called between the nodes of the graph by the thread that called llama_decode, so the task is the caller's.
    parameters.abort_callback = { _ in Task.isCancelled }
    _ = EngineLog.takeError()
    guard let handle = llama_init_from_model(model.handle, parameters) else {
      throw EngineError(
        .notEnoughMemory,
        "There is not enough memory for a context of \(length) tokens (\(EngineLog.takeError() ?? "no reason given")); "
          + "choose a shorter context or a smaller model.")
    }
    self.handle = handle
    memory = llama_get_memory(handle)
    batch = options.batch
    // The state of a recurrent part is of all tokens, not of each.
    canGoBack = !llama_model_is_recurrent(model.handle) && !llama_model_is_hybrid(model.handle)
    promptCache =
      canGoBack ? options.promptCache.map { PromptCache(options: $0, identity: model.identity(options)) } : nil
    capacity = Int(llama_n_ctx(handle))
  }

  deinit { llama_free(handle) }

  // MARK: Reading

  /// Makes the cache hold exactly these tokens, and computes only those after the first that differs.
  ///
  /// The second turn of a conversation so costs only what is new, as long as it starts with the tokens of the first.
  /// - Returns: how many tokens were taken over.
  /// - Throws: `EngineError` with `contextOverflow` before anything is computed when no room for a reply would be left;
  ///   `CancellationError`, with the cache holding what was computed until then.
  @discardableResult
  package func read(_ prompt: [Token]) throws -> Int {
    guard !prompt.isEmpty else { throw EngineError(.failed, "An empty prompt cannot be continued.") }
    guard prompt.count < capacity else {
      throw EngineError.contextOverflow(tokens: prompt.count, capacity: capacity)
    }
    var common = zip(tokens, prompt).prefix { $0 == $1 }.count
    if common == prompt.count && !(common == tokens.count && hasLogits) { common -= 1 }
    rollBack(to: common)
    common = tokens.count  // less where the model cannot go back
    try feed(prompt[common...])
    return common
  }

  /// Appends tokens and computes what is expected after the last.
  /// - Throws: as `read(_:)`.
  package func feed(_ new: some RandomAccessCollection<Token>) throws {
    guard tokens.count + new.count <= capacity else {
      throw EngineError.contextOverflow(tokens: tokens.count + new.count, capacity: capacity)
    }
    var rest = Array(new)[...]
    while !rest.isEmpty {
      try Task.checkCancellation()
      var chunk = Array(rest.prefix(batch))
      hasLogits = false
      heldLogits = nil
      let status = chunk.withUnsafeMutableBufferPointer {
        decode(llama_batch_get_one($0.baseAddress, Int32($0.count)))
      }
      try check(status)
      tokens += chunk
      hasLogits = true
      rest = rest.dropFirst(chunk.count)
    }
  }

  /// Appends a few tokens, no more than one step takes, and computes what is expected after each of them.
  /// - Throws: as `read(_:)`.
  func feedExpectingEach(_ new: [Token]) throws {
    guard tokens.count + new.count <= capacity, new.count <= batch else {
      throw EngineError.contextOverflow(tokens: tokens.count + new.count, capacity: capacity)
    }
    try Task.checkCancellation()
    var step = llama_batch_init(Int32(new.count), 0, 1)
    defer { llama_batch_free(step) }
    for (offset, token) in new.enumerated() {
      step.token[offset] = token
      step.pos[offset] = Int32(tokens.count + offset)
      step.n_seq_id[offset] = 1
      step.seq_id[offset]?[0] = 0
      step.logits[offset] = 1
    }
    step.n_tokens = Int32(new.count)
    hasLogits = false
    heldLogits = nil
    try check(decode(step))
    tokens += new
    hasLogits = true
  }

  /// Computes a step, one of several tokens with the cores that nobody else is using.
  private func decode(_ step: llama_batch) -> Int32 {
    if step.n_tokens > 1 {
      let others = max(0, (RunningThreads.count ?? 1) - 1)
      let free = max(min(threads, promptThreads), promptThreads - others)
      llama_set_n_threads(handle, Int32(clamping: threads), Int32(clamping: free))
    }
    return llama_decode(handle, step)
  }

  /// Forgets all tokens from `count` on. What is expected after the last remaining token is known again only after the
  /// next `feed(_:)`, unless a checkpoint is restored.
  package func rollBack(to count: Int) {
    guard count < tokens.count else { return }
    if llama_memory_seq_rm(memory, 0, Int32(max(0, count)), -1) {
      tokens.removeLast(tokens.count - max(0, count))
    } else {  // models with a recurrent state can only start over
      llama_memory_clear(memory, true)
      tokens = []
    }
    hasLogits = false
    heldLogits = nil
  }

  // MARK: Checkpoints

  /// A place to come back to, with what was expected there.
  package struct Checkpoint {
    fileprivate let tokens: [Token]
    fileprivate let logits: [Float]
  }

  /// The current place; it holds as long as nothing before it changes. Cheap: a copy of the logits.
  package func checkpoint() throws -> Checkpoint {
    Checkpoint(tokens: tokens, logits: try withLogits { Array($0) })
  }

  /// Goes back to a place without computing anything; where the cache has lost it, what is missing is computed again.
  package func restore(_ checkpoint: Checkpoint) throws {
    if tokens.starts(with: checkpoint.tokens) { rollBack(to: checkpoint.tokens.count) }
    if tokens != checkpoint.tokens { try read(checkpoint.tokens) }
    heldLogits = checkpoint.logits
    hasLogits = true
  }

  // MARK: State

  /// The state of the first tokens alone.
  func state(ofFirst count: Int) -> [UInt8]? {
    precondition(count <= tokens.count)
    let sequence: llama_seq_id = 1  // free between the scorings of continuations
    llama_memory_seq_cp(memory, 0, sequence, 0, Int32(count))
    defer { llama_memory_seq_rm(memory, sequence, -1, -1) }
    let size = llama_state_seq_get_size(handle, sequence)
    guard size > 0 else { return nil }
    let state = [UInt8](unsafeUninitializedCapacity: size) { buffer, initialized in
      initialized = llama_state_seq_get_data(handle, buffer.baseAddress, size, sequence)
    }
    return state.count == size ? state : nil
  }

  /// Makes the cache hold exactly these tokens, whose state this is.
  /// - Returns: whether the engine took it; the cache is empty where it did not.
  func load(_ state: [UInt8], of new: [Token]) -> Bool {
    guard new.count < capacity else { return false }
    llama_memory_clear(memory, true)
    hasLogits = false
    heldLogits = nil
    let isTaken =
      llama_state_seq_set_data(handle, state, state.count, 0) == state.count
      && llama_memory_seq_pos_max(memory, 0) == Int32(new.count - 1)
    if !isTaken { llama_memory_clear(memory, true) }
    tokens = isTaken ? new : []
    return isTaken
  }

  // MARK: Expectations

  /// One number for each token of the vocabulary: how much it is expected next (log-odds, up to a constant).
  package func withLogits<R>(_ body: (UnsafeBufferPointer<Float>) throws -> R) throws -> R {
    if let heldLogits { return try heldLogits.withUnsafeBufferPointer(body) }
    guard hasLogits, let logits = llama_get_logits_ith(handle, -1) else {
      throw EngineError(.failed, "The model has read nothing to continue.")
    }
    return try body(UnsafeBufferPointer(start: logits, count: model.vocabularySize))
  }

  /// The same after one of the tokens of the last `feedExpectingEach(_:)`, until anything else is computed.
  func withLogits<R>(afterFed index: Int, _ body: (UnsafeBufferPointer<Float>) throws -> R) throws -> R {
    guard let logits = llama_get_logits_ith(handle, Int32(index)) else {
      throw EngineError(.failed, "The engine lost its result.")
    }
    return try body(UnsafeBufferPointer(start: logits, count: model.vocabularySize))
  }

  /// The natural logarithms of the probabilities of these tokens to come next.
  package func logProbabilities(of candidates: [Token]) throws -> [Float] {
    try withLogits { logits in
      let total = logits.logSumExp()
      return candidates.map { logits[Int($0)] - total }
    }
  }

  /// For each continuation the log-probabilities of its tokens, each given those before it.
  ///
  /// All are computed together from the current place (far cheaper than one after the other), and the cache is left as
  /// it was.
  package func logProbabilities(ofContinuations continuations: [[Token]]) throws -> [[Float]] {
    precondition(!continuations.contains { $0.isEmpty })
    var result = zip(continuations, try logProbabilities(of: continuations.map { $0[0] })).map { [$1] }
    guard continuations.contains(where: { $0.count > 1 }) else { return result }
    let place = try checkpoint()
    defer {
      heldLogits = place.logits
      hasLogits = true
    }
    var next = 0
    while next < continuations.count {
      // As many continuations as fit into one step; one that alone is too long for a step is the caller's mistake.
      var group: [Int] = []
      var size = 0
      while next < continuations.count, group.count < Self.branches,
        group.isEmpty || size + continuations[next].count - 1 <= batch
      {
        if continuations[next].count > 1 { group.append(next) }
        size += continuations[next].count - 1
        next += 1
      }
      guard size > 0 else { continue }
      guard size <= batch, tokens.count + size <= capacity else {
        throw EngineError.contextOverflow(tokens: tokens.count + size, capacity: capacity)
      }
      try score(group.map { continuations[$0] }, size: size) { index, logProbability in
        result[group[index]].append(logProbability)
      }
    }
    return result
  }

  /// What several continuations begin with alike is computed once: a token belongs to all that pass through it.
  private func score(_ continuations: [[Token]], size: Int, found: (Int, Float) -> Void) throws {
    try Task.checkCancellation()
    var step = llama_batch_init(Int32(size), 0, Int32(continuations.count))
    defer { llama_batch_free(step) }
    /// The place in the step of each token, by what leads to it.
    var slots: [ArraySlice<Token>: Int] = [:]
    for (index, continuation) in continuations.enumerated() {
      let sequence = llama_seq_id(index + 1)
      llama_memory_seq_cp(memory, 0, sequence, -1, -1)
      for offset in 0..<continuation.count - 1 {
        let slot = slots[continuation[...offset], default: Int(step.n_tokens)]
        if slot == Int(step.n_tokens) {
          slots[continuation[...offset]] = slot
          step.token[slot] = continuation[offset]
          step.pos[slot] = Int32(tokens.count + offset)
          step.n_seq_id[slot] = 0
          step.logits[slot] = 1
          step.n_tokens += 1
        }
        step.seq_id[slot]?[Int(step.n_seq_id[slot])] = sequence
        step.n_seq_id[slot] += 1
      }
    }
    defer { for index in continuations.indices { llama_memory_seq_rm(memory, llama_seq_id(index + 1), -1, -1) } }
    try check(decode(step))
    var totals: [Int: Float] = [:]
    for (index, continuation) in continuations.enumerated() {
      for (offset, token) in continuation.dropFirst().enumerated() {
        guard let slot = slots[continuation[...offset]], let row = llama_get_logits_ith(handle, Int32(slot)) else {
          throw EngineError(.failed, "The engine lost its result.")
        }
        let logits = UnsafeBufferPointer(start: row, count: model.vocabularySize)
        let total = totals[slot] ?? logits.logSumExp()
        totals[slot] = total
        found(index, logits[Int(token)] - total)
      }
    }
  }

  // MARK: Failures

  private func check(_ status: Int32) throws {
    guard status != 0 else { return }
    // Parts of the step may be in the cache: take them out, so that it holds `tokens` again.
    if !llama_memory_seq_rm(memory, 0, Int32(tokens.count), -1) {
      llama_memory_clear(memory, true)
      tokens = []
    }
    switch status {
    case 2: throw CancellationError()
    case 1: throw EngineError.contextOverflow(tokens: tokens.count + 1, capacity: capacity)
    default: throw EngineError(.failed, "The engine failed (llama_decode: \(status)).")
    }
  }
}
