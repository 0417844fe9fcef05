public import Martlet
public import MartletHTTP
import MartletSync

/// A transport that tells a recorder what is sent and what comes back, byte by byte.
///
/// Of the headers only those that say nothing about who asks are recorded, of a URL's query as well; what was in the
/// others counts as secret from then on.
public struct RecordingTransport: HTTPTransport {
  private let base: any HTTPTransport
  private let recorder: Recorder

  /// - Parameter recorder: the one that records the agent's run.
  public init(_ base: any HTTPTransport, recorder: Recorder) {
    self.base = base
    self.recorder = recorder
  }

  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    for secret in RecordedHead.secrets(of: request) { recorder.keep(secret: secret) }
    if SideCallScope.isActive { return try await base.send(request) }
    let exchange = recorder.request(
      request.method.rawValue, RecordedHead.url(request.url), headers: RecordedHead.allowed(request.headers),
      body: RecordedHead.body(of: request))
    var response: HTTPResponse
    do {
      response = try await base.send(request)
    } catch {
      recorder.responseEnd(exchange, failure: RecordedFailure(transport: error))
      throw error
    }
    // As a date it would mean another wait at another time.
    if let text = response.headers["retry-after"], let date = HTTPDate(text) {
      let seconds = Double(date.secondsSince1970) - Double(Timestamp.now.milliseconds) / 1_000
      response.headers["retry-after"] = "\(max(0, seconds))"
    }
    recorder.response(exchange, status: response.status, headers: RecordedHead.allowed(response.headers))
    response.body = HTTPBody(
      RecordedBody(
        response.body.source, exchange: exchange, recorder: recorder,
        mask: ResponseMask(recorder.mask, mediaType: response.mediaType)))
    return response
  }
}

/// A body that is recorded as it is read.
private final class RecordedBody: HTTPBodySource {
  private let base: any HTTPBodySource
  private let exchange: Int
  private let recorder: Recorder
  /// Nil once the end is recorded.
  private let mask: Locked<ResponseMask?>

  init(_ base: any HTTPBodySource, exchange: Int, recorder: Recorder, mask: ResponseMask) {
    self.base = base
    self.exchange = exchange
    self.recorder = recorder
    self.mask = Locked(mask)
  }

  deinit { end(.cancelled) }

  func next() async throws -> [UInt8]? {
    do {
      guard let chunk = try await base.next() else {
        end(nil)
        return nil
      }
      let time = recorder.elapsed
      write(mask.withLock { $0?.take(chunk, at: time) ?? [] })
      return chunk
    } catch {
      end(RecordedFailure(transport: error))
      throw error
    }
  }

  func finish() {
    end(nil)
    base.finish()
  }

  private func end(_ failure: RecordedFailure?) {
    let rest = mask.withLock { mask -> [ResponseMask.Chunk]? in
      defer { mask = nil }
      return mask?.end()
    }
    guard let rest else { return }
    write(rest)
    recorder.responseEnd(exchange, failure: failure)
  }

  private func write(_ chunks: [ResponseMask.Chunk]) {
    for chunk in chunks { recorder.chunk(exchange, at: chunk.time, chunk.bytes) }
  }
}

extension RecordedFailure {
  init(transport error: any Error) {
    if let error = error as? HTTPError {
      self = .http(code: error.code.description, message: error.message)
    } else {
      self.init(error)
    }
  }

  /// What the transport threw.
  var transportError: any Error {
    if case .http(let name, let message) = self, let code = HTTPError.Code(name: name) {
      return HTTPError(code, message)
    }
    return error
  }
}
