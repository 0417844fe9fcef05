import BareLoop
import MartletLocal

/// `engine-bench MODEL.gguf [ROUNDS]`: the engine's tokens a second beside those of a bare C loop over the same library, in
/// the same process and taking turns. `engine-bench MODEL.gguf load`: the seconds that loading takes.
@main
enum EngineBench {
  static let promptLength = 512
  static let replyLength = 64

  static func main() async throws {
    guard CommandLine.arguments.count > 1 else { return print("usage: engine-bench MODEL.gguf [ROUNDS]") }
    let path = CommandLine.arguments[1]
    let rounds = CommandLine.arguments.count > 2 ? Int(CommandLine.arguments[2]) ?? 3 : 3
    var options = EngineOptions(contextLength: 2048)
    options.promptThreads = options.threads
    let clock = ContinuousClock()
    let start = clock.now
    let engine = try await Engine.open(path, options: options)
    if CommandLine.arguments.last == "load" { return print((clock.now - start) / .seconds(1)) }
    guard let bare = bare_loop_open(path, 2048, Int32(options.threads)) else {
      return print("The model does not load.")
    }
    defer { bare_loop_close(bare) }

    let text = String(repeating: "The quick brown fox jumps over the lazy dog, and then rests a while. ", count: 60)
    let prompt = Array(engine.model.tokens(in: text).prefix(promptLength))
    var bareReply = [Token](repeating: 0, count: replyLength)
    var meters = [String: Meter]()
    for _ in 0..<rounds {
      try meters["bare prompt", default: Meter()].measure {
        guard bare_loop_read(bare, prompt, Int32(prompt.count)) == 0 else { throw BenchError.bareLoopFailed }
        return prompt.count
      }
      try meters["bare reply", default: Meter()].measure {
        guard bare_loop_generate(bare, &bareReply, Int32(replyLength)) == 0 else { throw BenchError.bareLoopFailed }
        return replyLength
      }
      for (name, gbnf) in [("reply", nil), ("text in a grammar", freeText), ("JSON in a grammar", json)] {
        let (read, write) = try await engine.withContext { context in
          context.rollBack(to: 0)
          var read = Meter()
          var write = Meter()
          try read.measure {
            try context.read(prompt)
            return prompt.count
          }
          let grammar = try gbnf.map { try TokenGrammar($0, model: context.model) }
          try write.measure {
            var generation = Generation(
              context, options: GenerationOptions(maximumTokens: replyLength + 1), grammar: grammar)
            while try generation.next() != nil {}
            return context.tokens.count - prompt.count
          }
          return (read, write)
        }
        meters["prompt", default: Meter()].keepBest(read)
        meters[name, default: Meter()].keepBest(write)
      }
    }

    print("\(engine.model.summary), \(options.threads) thread(s), best of \(rounds); tokens a second")
    print("                        of wall time              of processor time")
    print("                        bare   Martlet  ratio     bare   Martlet  ratio")
    for (name, base) in [
      ("prompt", "bare prompt"), ("reply", "bare reply"), ("text in a grammar", "bare reply"),
      ("JSON in a grammar", "bare reply"),
    ] {
      guard let mine = meters[name], let other = meters[base] else { continue }
      print(
        name.padded(20) + decimal(other.wall) + decimal(mine.wall) + decimal(mine.wall / other.wall, 2)
          + "  " + decimal(other.processor) + decimal(mine.processor) + decimal(mine.processor / other.processor, 2))
    }
  }

  enum BenchError: Error { case bareLoopFailed }

  static let freeText = "root ::= [^<]*"
  static let json = #"""
    root ::= "[" item ("," item)* "]"
    item ::= "{\"name\": \"" [a-z]{1,12} "\", \"arguments\": {\"n\": " [0-9]{1,6} ", \"s\": \"" [^"\\\x00-\x1f]{1,40} "\"}}"
    """#

  static func decimal(_ value: Double, _ places: Int = 1) -> String {
    let unit = places == 1 ? 10.0 : 100.0
    let scaled = Int((value * unit).rounded())
    let digits = String(scaled % Int(unit) + Int(unit)).dropFirst()
    return String("\(scaled / Int(unit)).\(digits)").padded(-8)
  }
}

extension String {
  /// With spaces to this width: after it, or before it when negative.
  func padded(_ width: Int) -> String {
    let space = String(repeating: " ", count: max(0, abs(width) - count))
    return width < 0 ? space + self : self + space
  }
}
