import Martlet
import MartletHTTP

/// The reply of a provider over HTTP: sends the request when it is first read, then pulls bytes, frames and decodes.
struct ProviderStream<Frames: FrameDecoder, Decoder: WireDecoder>: ModelStream.Source {
  private enum Phase {
    case notSent
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
      try await ResponseCheck(errors: errors, mediaTypes: Frames.mediaTypes).check(response)
      phase = .reading(response.body.makeAsyncIterator())
      body = response.body
      if let requestId { events.append(.requestId(requestId)) }
    }
    guard case .reading(var body) = phase else { return }
    phase = .done  // no second reference to the iterator while it is read
    while true {
      guard let chunk = try await body.next() else {
        while !decoder.isComplete, let rest = try frames.end() { try decoder.take(rest, into: &events) }
        return try decoder.end(into: &events)
      }
      frames.append(chunk)
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
        phase = .reading(body)
        return
      }
    }
  }
}
