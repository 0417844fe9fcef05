import Martlet
import MartletHTTP

/// The reply of a provider over HTTP: sends the request when it is first read, then pulls bytes, frames and decodes.
struct ProviderStream<Frames: FrameDecoder, Decoder: WireDecoder>: ModelStream.Source {
  private enum Phase {
    case notSent
    case reading(HTTPBody.AsyncIterator)
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
    do {
      return try await pull()
    } catch let error as HTTPError {
      throw ModelError(error)
    }
  }

  private mutating func pull() async throws -> [ModelEvent]? {
    var events: [ModelEvent] = []
    if case .notSent = phase {
      let response = try await transport.send(try await makeRequest())
      let requestId = errors.requestId(response.headers)
      try await ResponseCheck(errors: errors, mediaTypes: Frames.mediaTypes).check(response)
      phase = .reading(response.body.makeAsyncIterator())
      body = response.body
      if let requestId { events.append(.requestId(requestId)) }
    }
    guard case .reading(var body) = phase else { return nil }
    phase = .done  // no second reference to the iterator while it is read
    while true {
      guard let chunk = try await body.next() else {
        if let rest = try frames.end() { try decoder.take(rest, into: &events) }
        try decoder.end(into: &events)
        return events.isEmpty ? nil : events
      }
      frames.append(chunk)
      while !decoder.isComplete, let event = try frames.next() {
        try decoder.take(event, into: &events)
      }
      if decoder.isComplete {
        // The end of the body is still to come: reading nothing more must not cost the connection.
        self.body?.finish()
        self.body = nil
        return events
      }
      if !events.isEmpty {
        phase = .reading(body)
        return events
      }
    }
  }
}
