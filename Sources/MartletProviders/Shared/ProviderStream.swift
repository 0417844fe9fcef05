import Martlet
import MartletHTTP
import MartletJSON

/// The reply of a provider over HTTP: sends the request when it is first read, then pulls bytes, frames and decodes.
struct ProviderStream<Frames: FrameDecoder, Decoder: WireDecoder>: ModelStream.Source {
  private enum Phase {
    case notSent
    /// The body has not begun: all that came of it is white space.
    case opened(HTTPBody.AsyncIterator, HTTPResponse)
    case reading(HTTPBody.AsyncIterator)
    case failed(any Error)
    case done
  }

  private let transport: any HTTPTransport
  private let makeRequest: @Sendable () async throws -> HTTPRequest
  private let errors: any ProviderErrorReader
  private var decoder: Decoder
  private var frames = Frames()
  private var phase = Phase.notSent
  private var body: HTTPBody?

  init(
    transport: any HTTPTransport, errors: any ProviderErrorReader, decoder: Decoder,
    makeRequest: @escaping @Sendable () async throws -> HTTPRequest
  ) {
    self.transport = transport
    self.errors = errors
    self.decoder = decoder
    self.makeRequest = makeRequest
  }

  mutating func next() async throws -> [ModelEvent]? {
    if case .failed(let error) = phase {
      phase = .done
      throw error
    }
    var events: [ModelEvent] = []
    do {
      try await pull(into: &events)
    } catch let error as CancellationError {
      throw error
    } catch {
      let error = (error as? HTTPError).map { ModelError($0) } ?? error
      // What came before the failure is said first: the partial reply is kept.
      guard !events.isEmpty else { throw error }
      phase = .failed(error)
    }
    return events.isEmpty ? nil : events
  }

  /// Reads until there are events, or the reply is complete.
  private mutating func pull(into events: inout [ModelEvent]) async throws {
    if case .notSent = phase {
      let response = try await transport.send(try await makeRequest())
      let requestId = errors.requestId(response.headers)
      let rateLimits = RateLimitHeaders.read(response.headers, now: Double(Timestamp.now.milliseconds) / 1000)
      try await check.check(response)
      phase = .opened(response.body.makeAsyncIterator(), response)
      body = response.body
      if let requestId { events.append(.requestId(requestId)) }
      if !rateLimits.isEmpty { events.append(.rateLimits(rateLimits)) }
    }
    var reader: HTTPBody.AsyncIterator
    var opened: HTTPResponse?
    switch phase {
    case .opened(let iterator, let response): (reader, opened) = (iterator, response)
    case .reading(let iterator): reader = iterator
    case .notSent, .failed, .done: return
    }
    phase = .done  // no second reference to the iterator while it is read
    if let opened { try await begin(&reader, opened) }
    while true {
      while !decoder.isComplete, let event = try frames.next() {
        try decoder.take(event, into: &events)
      }
      if decoder.isComplete {
        // The end of the body is still to come: reading nothing more must not cost the connection.
        self.body?.finish()
        self.body = nil
        return
      }
      if !events.isEmpty {
        phase = .reading(reader)
        return
      }
      guard let chunk = try await reader.next() else {
        return try end(into: &events)
      }
      frames.append(chunk)
    }
  }

  private var check: ResponseCheck { ResponseCheck(errors: errors, mediaTypes: Frames.mediaTypes) }

  /// Reads up to the first byte that says something, and makes sure that a stream can begin with it.
  private mutating func begin(_ reader: inout HTTPBody.AsyncIterator, _ response: HTTPResponse) async throws {
    var beginning: [UInt8] = []
    // Where the type does not say that it is a stream, its first bytes must.
    let isNamed = response.mediaType.map(Frames.mediaTypes.contains) ?? true
    while let chunk = try await reader.next() {
      beginning += chunk
      guard let first = beginning.firstIndex(where: { !$0.isSpace }) else { continue }
      let isStream = isNamed ? true : Frames.begins(beginning[first...])
      if isStream == false || !Frames.mayBegin(with: beginning[first]) {
        throw try await check.notAStream(beginning: beginning, rest: &reader, of: response)
      }
      if isStream != nil { break }
    }
    frames.append(beginning)
  }

  /// Takes what is left when the connection has ended. Where that is half an event, the stream was cut off there.
  private mutating func end(into events: inout [ModelEvent]) throws {
    while !decoder.isComplete, let rest = try frames.end() {
      do {
        try decoder.take(rest, into: &events)
      } catch {
        throw error.underlying is JSONError ? .truncated(errors.name) : error
      }
    }
    try decoder.end(into: &events)
  }
}
