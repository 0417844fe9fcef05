import MartletJSON

/// A model that tells a recorder what it says.
struct RecordingModel: LanguageModel {
  let base: any LanguageModel
  let recorder: Recorder

  var info: ModelInfo { base.info }

  func stream(_ request: ModelRequest) -> ModelStream {
    ModelStream { Source(base: base, recorder: recorder, request: request) }
  }

  func tokenCount(of request: ModelRequest) async throws -> Int? {
    let count = try await base.tokenCount(of: request)
    var fields: JSONObject = [
      "hash": .string(RecordedRequest.hash(recorder.mask.mask(RecordedRequest.json(request))))
    ]
    fields.set("tokens", count.map { JSONValue($0) })
    recorder.write("token_count", fields)
    return count
  }

  private struct Source: ModelStream.Source {
    let base: any LanguageModel
    let recorder: Recorder
    let request: ModelRequest
    var reply: ModelStream.AsyncIterator?
    var number = 0
    var held: HeldEvents?

    mutating func next() async throws -> [ModelEvent]? {
      if SideCallScope.isActive {
        if reply == nil { reply = base.stream(request).makeAsyncIterator() }
        return try await reply?.nextBatch()
      }
      if reply == nil {
        number = recorder.number()
        recorder.write(
          "model_request",
          [
            "call": JSONValue(number), "model": base.info.recorded, "messages": JSONValue(request.messages.count),
            "hash": .string(RecordedRequest.hash(recorder.mask.mask(RecordedRequest.json(request)))),
          ])
        held = HeldEvents(recorder.mask)
        reply = base.stream(request).makeAsyncIterator()
      }
      do {
        guard let batch = try await reply?.nextBatch() else {
          end(nil)
          return nil
        }
        let time = recorder.elapsed
        let clear = held?.take(batch, at: time) ?? []
        write(clear)
        if batch.contains(where: { if case .finished = $0 { true } else { false } }) { end(nil) }
        return batch
      } catch {
        end(RecordedFailure(error))
        throw error
      }
    }

    private func write(_ batches: [HeldEvents.Batch]) {
      for batch in batches where !batch.events.isEmpty {
        let events = batch.events.map { $0.isPreview ? $0.json : recorder.mask.mask($0.json) }
        recorder.file.write([
          "type": "model_events", "at": JSONValue(batch.time), "call": JSONValue(number), "events": .array(events),
        ])
      }
    }

    private mutating func end(_ failure: RecordedFailure?) {
      guard held != nil else { return }
      let rest = held?.end() ?? []
      write(rest)
      held = nil
      recorder.write("model_end", ["call": JSONValue(number), "error": failure?.json ?? .null])
    }
  }
}

/// What a request to a model is told apart by.
enum RecordedRequest {
  static func json(_ request: ModelRequest) -> JSONValue {
    [
      "instructions": .array(request.instructions.map(\.json)), "tools": .array(request.tools.map(\.json)),
      "messages": .array(request.messages.map(\.json)), "options": request.options.json,
      "output_schema": request.outputSchema ?? .null,
    ]
  }

  static func hash(_ value: JSONValue) -> String { String(StoredRecord.hash(value.bytes()), radix: 16) }
}

/// Events of a reply whose texts may be a part of a secret, until that is clear.
struct HeldEvents {
  struct Batch {
    var time: Int
    var events: [ModelEvent]
  }

  private enum Key: Hashable {
    case text(Int)
    case thinking(Int)
    case arguments(Int)
  }

  private struct Held {
    var time: Int
    var event: ModelEvent
    var key: Key?
    var range = 0..<0
  }

  private let mask: SecretMask
  private var streams: [Key: StreamMask] = [:]
  private var edits: [Key: [SecretMask.Edit]] = [:]
  private var open: [Key: Int] = [:]
  private var held: [Held] = []

  init(_ mask: SecretMask) { self.mask = mask }

  /// Takes events; gives those that are clear by now.
  mutating func take(_ events: [ModelEvent], at time: Int) -> [Batch] {
    for event in events {
      var item = Held(time: time, event: event)
      if let (key, text) = Self.preview(event) {
        var stream = streams.removeValue(forKey: key) ?? StreamMask(mask)
        item.key = key
        item.range = stream.append(text.utf8)
        let settled = stream.settle()
        edits[key, default: []] += settled.edits
        open[key] = settled.open
        streams[key] = stream
      }
      held.append(item)
    }
    let open = open
    return release { item in item.key.map { item.range.upperBound <= open[$0] ?? 0 } ?? true }
  }

  mutating func end() -> [Batch] {
    for key in streams.keys {
      streams[key]?.end()
      edits[key, default: []] += streams[key]?.settle().edits ?? []
    }
    return release { _ in true }
  }

  private mutating func release(_ isClear: (Held) -> Bool) -> [Batch] {
    let clear = held.prefix(while: isClear)
    held.removeFirst(clear.count)
    var batches: [Batch] = []
    for item in clear {
      if batches.last?.time != item.time { batches.append(Batch(time: item.time, events: [])) }
      batches[batches.count - 1].events.append(masked(item))
    }
    return batches
  }

  private func masked(_ item: Held) -> ModelEvent {
    guard let key = item.key, let edits = edits[key], !edits.isEmpty else { return item.event }
    func text(_ text: String) -> String {
      String(decoding: StreamMask.apply(edits, to: Array(text.utf8), at: item.range.lowerBound), as: UTF8.self)
    }
    switch item.event {
    case .text(let piece, let index): return .text(text(piece), index: index)
    case .thinking(let piece, let index): return .thinking(text(piece), index: index)
    case .toolCallDelta(var delta, let index):
      delta.arguments = text(delta.arguments)
      return .toolCallDelta(delta, index: index)
    default: return item.event
    }
  }

  private static func preview(_ event: ModelEvent) -> (Key, String)? {
    switch event {
    case .text(let text, let index): (.text(index), text)
    case .thinking(let text, let index): (.thinking(index), text)
    case .toolCallDelta(let delta, let index): (.arguments(index), delta.arguments)
    default: nil
    }
  }
}

extension ModelEvent {
  var isPreview: Bool {
    switch self {
    case .text, .thinking, .toolCallDelta: true
    default: false
    }
  }
}
