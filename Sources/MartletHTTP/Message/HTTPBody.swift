import MartletSync

/// Bytes that arrive over time, pulled: nothing more than a bounded buffer is read ahead of the consumer.
///
/// Single pass: one consumer, one loop. A cancelled consumer gets `CancellationError`, never a normal end. Chunks are not
/// empty; their borders mean nothing.
public struct HTTPBody: AsyncSequence, Sendable {
  public typealias Element = [UInt8]

  package let source: any HTTPBodySource

  /// The body that `source` produces. The source is released with the last copy of the body and its iterators.
  public init(_ source: some HTTPBodySource) { self.source = source }

  /// A body that is already here, in one chunk.
  public init(_ bytes: [UInt8]) { self.init(chunks: [bytes]) }

  /// A body in these chunks; empty ones are left out.
  public init(chunks: [[UInt8]]) { self.init(BufferedBodySource(chunks)) }

  /// All of it, if it was made from bytes that are here; taking them does not read the body.
  package var buffered: [UInt8]? { (source as? BufferedBodySource)?.bytes }

  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let source: any HTTPBodySource
    private var ended = false

    fileprivate init(source: any HTTPBodySource) { self.source = source }

    /// The next bytes, or `nil` at the end.
    /// - Throws: ``HTTPError`` when the body is cut off or stalls; `CancellationError` when the task is cancelled.
    public mutating func next() async throws -> [UInt8]? {
      if ended { return nil }
      if let chunk = try await source.next() { return chunk }
      try Task.checkCancellation()
      ended = true
      return nil
    }

    @available(macOS 15, iOS 18, *)
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> [UInt8]? { try await next() }
  }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(source: source) }

  /// The reader has all it wants. Little is left, if anything: it may be thrown away for a moment, so that the connection
  /// can be used again, which dropping an unread body would close. Do not read on.
  public func finish() { source.finish() }

  /// The whole body.
  /// - Throws: ``HTTPError/Code/tooLarge`` as soon as there are more than `limit` bytes, and what iterating throws.
  public func bytes(limit: Int) async throws -> [UInt8] {
    var all: [UInt8] = []
    for try await chunk in self {
      guard chunk.count <= limit - all.count else {
        throw HTTPError(.tooLarge, "The response body is larger than the limit of \(limit) bytes.")
      }
      if all.isEmpty { all = chunk } else { all += chunk }
    }
    return all
  }
}

extension HTTPBody {
  /// Several pieces as one, copied piece by piece: `Array(pieces.joined())` goes byte by byte.
  static func joined(_ pieces: some Collection<[UInt8]>, count: Int) -> [UInt8] {
    if pieces.count == 1, let only = pieces.first { return only }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    for piece in pieces { bytes += piece }
    return bytes
  }
}

@available(*, unavailable)
extension HTTPBody.AsyncIterator: Sendable {}

/// Where the bytes of a body come from. Release (`deinit`) means that nobody will read on: stop the transfer.
public protocol HTTPBodySource: AnyObject, Sendable {
  /// The next bytes, never empty; `nil` at the end. Called by one task at a time. A cancelled task gets
  /// `CancellationError` at once.
  func next() async throws -> [UInt8]?
  /// See ``HTTPBody/finish()``. Default: nothing; the release that follows ends the transfer.
  func finish()
}

extension HTTPBodySource {
  public func finish() {}
}

/// Chunks that are already here.
private final class BufferedBodySource: HTTPBodySource {
  private let chunks: Locked<ArraySlice<[UInt8]>>

  init(_ chunks: [[UInt8]]) { self.chunks = Locked(chunks.filter { !$0.isEmpty }[...]) }

  var bytes: [UInt8] {
    let chunks = chunks.withLock { $0 }
    return HTTPBody.joined(chunks, count: chunks.reduce(0) { $0 + $1.count })
  }

  func next() async throws -> [UInt8]? {
    try Task.checkCancellation()
    return chunks.withLock { $0.popFirst() }
  }
}
