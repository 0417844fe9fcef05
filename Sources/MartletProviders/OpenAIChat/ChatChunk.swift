import MartletJSON

/// What counts of one event of a Chat Completions stream, read without building the rest.
struct ChatChunk {
  var choices: [Choice] = []
  var usage: JSONValue?
  /// An error object, or a text in its place.
  var error: JSONValue?
  /// Sources that Perplexity names beside the choices.
  var sources = JSONObject()

  /// One choice of a chunk. We ask for one only, but not every server gives it the index 0.
  struct Choice {
    var index: Int?
    var delta = Delta()
    var finishReason: String?
  }

  /// What a chunk adds to the message.
  struct Delta {
    var text: String?
    /// Content that comes as a list of parts.
    var parts: [JSONValue] = []
    var thinking: String?
    /// The field that `thinking` came in.
    var thinkingField = ""
    var thinkingDetails: [JSONValue] = []
    var refusal: String?
    var calls: [CallPiece] = []
    /// The form of calls before there were tools.
    var functionCall: CallPiece?
    var annotations: [JSONValue] = []
    var images: [JSONValue] = []
  }

  /// A piece of a tool call.
  struct CallPiece {
    var index: Int?
    var id: String?
    var name: String?
    var arguments: String?
    /// Fields that are nobody's but the vendor's, such as signatures.
    var rest = JSONObject()
  }

  /// Reads an event's data.
  init(_ data: ArraySlice<UInt8>) throws(JSONError) {
    var isError = false
    self = try JSONScanner.scan(data) { scanner throws(JSONError) in try Self(&scanner, isError: &isError) }
    // An error without a wrapper, as Mistral and older vLLM have it.
    if isError, error == nil { error = try JSONValue(parsing: data) }
  }

  private init(_ scanner: inout JSONScanner, isError: inout Bool) throws(JSONError) {
    guard try scanner.isObject() else {
      // Whatever else is JSON says nothing.
      _ = try scanner.value()
      return
    }
    guard try scanner.enterObject() else { return }
    while try scanner.nextMember() {
      if scanner.isKey("choices") {
        guard try scanner.enterArray() else { continue }
        while try scanner.nextElement() { try readChoice(&scanner) }
      } else if scanner.isKey("usage") {
        if let value = try scanner.object() { usage = value }
      } else if scanner.isKey("error") {
        error = try scanner.value()
      } else if scanner.isKey("x_groq") {
        // Beside the usage proper, where there is one: the same numbers again.
        if let groq = try scanner.object() {
          if usage == nil, let value = groq["usage"], value.objectValue != nil { usage = value }
          if error == nil, let value = groq["error"], !value.isNull { error = value }
        }
      } else if scanner.isKey("timings") {
        // Read in any case: what is not read is still there.
        let timings = try scanner.object()
        if usage == nil, let timings { usage = ChatUsage.usage(timings: timings) }
      } else if scanner.isKey("object") {
        isError = try scanner.string() == "error"
      } else if scanner.isKey("citations") || scanner.isKey("search_results") {
        let key = scanner.key
        let value = try scanner.value()
        if value.arrayValue?.isEmpty == false { sources[key] = value }
      } else {
        try scanner.skip()
      }
    }
    if error?.isNull == true { error = nil }
  }

  private mutating func readChoice(_ scanner: inout JSONScanner) throws(JSONError) {
    var choice = Choice()
    var whole: Delta?
    var hasDelta = false
    guard try scanner.enterObject() else { return }
    while try scanner.nextMember() {
      if scanner.isKey("delta") {
        guard try scanner.enterObject() else { continue }
        hasDelta = true
        try Self.read(&choice.delta, &scanner)
      } else if scanner.isKey("index") {
        choice.index = try scanner.int()
      } else if scanner.isKey("finish_reason") {
        choice.finishReason = try scanner.string()
      } else if scanner.isKey("message") {
        // The reply so far, beside the delta; with some gateways in its place.
        guard try scanner.enterObject() else { continue }
        var delta = Delta()
        try Self.read(&delta, &scanner)
        whole = delta
      } else if scanner.isKey("usage") {
        if let value = try scanner.object() { usage = value }
      } else if scanner.isKey("error") {
        let value = try scanner.value()
        if !value.isNull { error = value }
      } else {
        try scanner.skip()
      }
    }
    if !hasDelta, let whole { choice.delta = whole }
    choices.append(choice)
  }

  private static func read(_ delta: inout Delta, _ scanner: inout JSONScanner) throws(JSONError) {
    while try scanner.nextMember() {
      if scanner.isKey("content") {
        if try scanner.isString() { delta.text = try scanner.string() } else { delta.parts = try scanner.list() }
      } else if scanner.isKey("reasoning_content") || scanner.isKey("reasoning") {
        // Some servers send the same text in both.
        let field = scanner.isKey("reasoning") ? "reasoning" : "reasoning_content"
        if let text = try scanner.string(), !text.isEmpty, delta.thinking == nil {
          delta.thinking = text
          delta.thinkingField = field
        }
      } else if scanner.isKey("tool_calls") {
        guard try scanner.enterArray() else { continue }
        while try scanner.nextElement() { delta.calls.append(try callPiece(&scanner)) }
      } else if scanner.isKey("refusal") {
        delta.refusal = try scanner.string()
      } else if scanner.isKey("reasoning_details") {
        delta.thinkingDetails = try scanner.list()
      } else if scanner.isKey("function_call") {
        guard try scanner.enterObject() else { continue }
        var piece = CallPiece()
        try readFunction(&piece, &scanner)
        if piece.name?.isEmpty == false || piece.arguments?.isEmpty == false { delta.functionCall = piece }
      } else if scanner.isKey("annotations") {
        delta.annotations = try scanner.list()
      } else if scanner.isKey("images") {
        delta.images = try scanner.list()
      } else {
        try scanner.skip()
      }
    }
  }

  private static func callPiece(_ scanner: inout JSONScanner) throws(JSONError) -> CallPiece {
    var piece = CallPiece()
    guard try scanner.enterObject() else { return piece }
    while try scanner.nextMember() {
      if scanner.isKey("index") {
        piece.index = try scanner.int()
      } else if scanner.isKey("function") {
        guard try scanner.enterObject() else { continue }
        try readFunction(&piece, &scanner)
      } else if scanner.isKey("id") {
        piece.id = try scanner.string()
      } else if scanner.isKey("type") {
        try scanner.skip()
      } else {
        let key = scanner.key
        let value = try scanner.value()
        if !value.isNull { piece.rest[key] = value }
      }
    }
    return piece
  }

  private static func readFunction(_ piece: inout CallPiece, _ scanner: inout JSONScanner) throws(JSONError) {
    while try scanner.nextMember() {
      if scanner.isKey("arguments") {
        if try scanner.isString() {
          piece.arguments = try scanner.string()
        } else {
          // An object where the protocol has its text; null for nothing.
          let value = try scanner.value()
          if !value.isNull { piece.arguments = value.text() }
        }
      } else if scanner.isKey("name") {
        piece.name = try scanner.string()
      } else {
        try scanner.skip()
      }
    }
  }
}

extension JSONScanner {
  /// Reads an object; nil for any other value, which is skipped.
  mutating func object() throws(JSONError) -> JSONValue? {
    guard try isObject() else {
      try skip()
      return nil
    }
    return try value()
  }

  /// Reads an array's elements; none for any other value, which is skipped.
  mutating func list() throws(JSONError) -> [JSONValue] {
    guard try isArray() else {
      try skip()
      return []
    }
    return try value().arrayValue ?? []
  }
}
