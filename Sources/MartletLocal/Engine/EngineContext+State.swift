import CLlama

/// The state after a prompt's beginning, as bytes that another process can go on from.
extension EngineContext {
  /// Takes the longest of some beginnings of a prompt from the prompt cache, if that is more than is here.
  /// - Parameter lengths: of the beginnings, in tokens.
  func recall(_ prompt: [Token], lengths: [Int]) {
    guard let promptCache else { return }
    let common = zip(tokens, prompt).prefix { $0 == $1 }.count
    for length in lengths.sorted(by: >) where length > common && length <= prompt.count {
      if let state = promptCache.state(after: prompt[..<length]), load(state, of: Array(prompt[..<length])) { return }
    }
  }

  /// Keeps beginnings of a prompt in the prompt cache that are here now and are not there yet.
  func keep(_ prompt: [Token], lengths: [Int]) {
    guard let promptCache else { return }
    let common = zip(tokens, prompt).prefix { $0 == $1 }.count
    for length in Set(lengths) where length > 0 && length <= common {
      guard !promptCache.hasState(after: prompt[..<length]), let state = state(ofFirst: length) else { continue }
      promptCache.keep(state: state, after: prompt[..<length])
    }
  }
}
