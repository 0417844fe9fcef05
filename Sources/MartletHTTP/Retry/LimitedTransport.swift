/// A transport that keeps below a limit of requests: each waits for its turn before it is sent, and counts as under way
/// until its body is read to the end or dropped.
public struct LimitedTransport: HTTPTransport {
  private let base: any HTTPTransport
  private let limiter: RequestLimiter

  /// - Parameter limiter: may be shared by several transports to one service.
  public init(_ base: any HTTPTransport, limiter: RequestLimiter) {
    self.base = base
    self.limiter = limiter
  }

  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let permit = try await limiter.acquire()
    var response = try await base.send(request)
    response.body = HTTPBody(PermittedBody(response.body, permit))
    return response
  }
}

/// A body that gives its permit back at its end, and in any case when it is let go.
private final class PermittedBody: HTTPBodySource {
  private let base: any HTTPBodySource
  private let permit: RequestLimiter.Permit

  init(_ body: HTTPBody, _ permit: RequestLimiter.Permit) {
    base = body.source
    self.permit = permit
  }

  func next() async throws -> [UInt8]? {
    do {
      if let chunk = try await base.next() { return chunk }
    } catch {
      permit.release()
      throw error
    }
    permit.release()
    return nil
  }

  func finish() {
    base.finish()
    permit.release()
  }
}
