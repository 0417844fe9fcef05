public import Martlet
public import MartletJSON

/// One reply of a simulated model.
///
/// As JSON: `{"thinking", "text", "calls": [{"name", "arguments" or "arguments_text", "id"}], "output", "stop", "usage":
/// {"input", "output", …}, "piece"}`, with thinking first, then text, then calls, then the structured output; or
/// `"blocks": [{"text"} or {"thinking"} or {"call"} or {"output"}…]` for another order.
public struct SimulatedReply: Sendable, Hashable {
  /// A part of a reply.
  public enum Block: Sendable, Hashable {
    /// What the model says.
    case text(String)
    /// What it thinks: with a signature or encrypted where the provider has such.
    case thinking(String)
    /// A tool it calls.
    case call(SimulatedCall)
    /// JSON for a request that asks for a typed answer; sent as text.
    case output(JSONValue)
  }

  /// The parts, in order.
  public var blocks: [Block]
  /// Why the reply ends, in neutral words; nil for what fits the blocks.
  public var stop: StopReason?
  /// What it used; nil for about a token in four bytes.
  public var usage: Usage?
  /// How many characters (Unicode scalars) a piece of the stream has. 1 splits arguments wherever JSON can be split.
  /// Default: 12.
  public var pieceSize: Int

  /// A reply.
  public init(_ blocks: [Block], stop: StopReason? = nil, usage: Usage? = nil, pieceSize: Int = 12) {
    self.blocks = blocks
    self.stop = stop
    self.usage = usage
    self.pieceSize = max(1, pieceSize)
  }

  /// A reply of text.
  public static func text(_ text: String, pieceSize: Int = 12) -> Self { Self([.text(text)], pieceSize: pieceSize) }

  /// A reply that calls tools, with text before the calls unless it is empty.
  public static func calls(_ calls: SimulatedCall..., text: String = "", pieceSize: Int = 12) -> Self {
    Self((text.isEmpty ? [] : [.text(text)]) + calls.map { .call($0) }, pieceSize: pieceSize)
  }

  init(json: JSONValue, at place: String) throws {
    let fields = try ScriptFields(
      json, at: place, known: ["blocks", "thinking", "text", "calls", "output", "stop", "usage", "piece"])
    var blocks = try fields.list("blocks") { try Block(json: $0, at: $1) }
    if let text = try fields.string("thinking") { blocks.append(.thinking(text)) }
    if let text = try fields.string("text") { blocks.append(.text(text)) }
    blocks += try fields.list("calls") { .call(try SimulatedCall(json: $0, at: $1)) }
    if let output = fields.value("output") { blocks.append(.output(output)) }
    let usage = try fields.value("usage").map { value in
      let fields = try ScriptFields(
        value, at: "\(place).usage", known: ["input", "cached_input", "cache_write", "output", "reasoning"])
      return Usage(
        input: try fields.count("input") ?? 0, cachedInput: try fields.count("cached_input") ?? 0,
        cacheWrite: try fields.count("cache_write") ?? 0, output: try fields.count("output") ?? 0,
        reasoning: try fields.count("reasoning") ?? 0)
    }
    self.init(
      blocks, stop: try fields.string("stop").map(StopReason.init(rawValue:)), usage: usage,
      pieceSize: try fields.count("piece", from: 1) ?? 12)
  }

  /// The text of a block that is sent as text.
  static func text(of block: Block) -> String? {
    switch block {
    case .text(let text): text
    case .output(let value): value.text()
    case .thinking, .call: nil
    }
  }

  var calls: [SimulatedCall] { blocks.compactMap { if case .call(let call) = $0 { call } else { nil } } }

  /// All text, and all thinking, for protocols that know one of each.
  var text: String { blocks.compactMap(Self.text).joined() }
  var thinking: String { blocks.map { if case .thinking(let text) = $0 { text } else { "" } }.joined() }

  var stopReason: StopReason { stop ?? (calls.isEmpty ? .endTurn : .toolUse) }

  /// Pieces of a text of this reply.
  func pieces(of text: String) -> [String] {
    var pieces: [String] = []
    var piece = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      piece.append(scalar)
      if piece.count == pieceSize {
        pieces.append(String(piece))
        piece = String.UnicodeScalarView()
      }
    }
    if !piece.isEmpty { pieces.append(String(piece)) }
    return pieces
  }

  /// The usage, or about what it would be.
  func usage(requestBytes: Int) -> Usage {
    if let usage { return usage }
    let thinking = thinking.utf8.count / 4
    let output = calls.reduce(text.utf8.count) { $0 + $1.name.utf8.count + $1.argumentsText.utf8.count } / 4
    return Usage(input: requestBytes / 4 + 1, output: output + thinking + 1, reasoning: thinking)
  }
}

extension SimulatedReply.Block {
  fileprivate init(json: JSONValue, at place: String) throws {
    let fields = try ScriptFields(json, at: place, known: ["text", "thinking", "call", "output"])
    if let text = try fields.string("text") {
      self = .text(text)
    } else if let text = try fields.string("thinking") {
      self = .thinking(text)
    } else if let call = fields.value("call") {
      self = .call(try SimulatedCall(json: call, at: "\(place).call"))
    } else if let output = fields.value("output") {
      self = .output(output)
    } else {
      throw SimulatorScriptError(place: place, message: "one of text, thinking, call, output is expected")
    }
  }
}
