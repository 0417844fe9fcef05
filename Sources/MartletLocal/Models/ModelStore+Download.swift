import MartletHTTP

extension ModelStore {
  /// The rest of the file by HTTP, with a range request after an interruption.
  func download(
    _ model: KnownModel, _ url: String, into partial: PartialFile, report: @Sendable (PullEvent) -> Void
  ) async throws {
    guard let transport else { throw ModelStoreError(.sourceFailed, "Nothing here can fetch a URL.") }
    var attemptsLeft = 2
    while partial.length < model.size {
      let before = partial.length
      do {
        try await append(model, url, transport, to: partial, report: report)
      } catch let error as HTTPError {
        // Half a gigabyte may take several connections; give up when they bring nothing any more.
        attemptsLeft = partial.length > before ? 2 : attemptsLeft - 1
        guard error.isTransient, attemptsLeft > 0, partial.length > 0 else {
          throw ModelStoreError(.sourceFailed, error.message, underlying: error)
        }
      }
    }
  }

  private func append(
    _ model: KnownModel, _ url: String, _ transport: any HTTPTransport, to partial: PartialFile,
    report: @Sendable (PullEvent) -> Void
  ) async throws {
    var request = HTTPRequest(
      .get, url, timeouts: .init(connect: .seconds(10), idle: .seconds(60)), redirects: .follow(limit: 10))
    if partial.length > 0 { request.headers["range"] = "bytes=\(partial.length)-" }
    let response = try await transport.send(request)
    switch response.status {
    case 200: try partial.truncate(to: 0)  // it does not do ranges
    case 206 where response.headers["content-range"]?.hasPrefix("bytes \(partial.length)-") == true: break
    default:
      throw ModelStoreError(.sourceFailed, "It answered with HTTP status \(response.status).")
    }
    var reported = partial.length
    for try await chunk in response.body {
      guard partial.length + chunk.count <= model.size else {
        try partial.truncate(to: 0)
        throw ModelStoreError(.wrongHash, "It gave a larger file than the manifest describes.")
      }
      try partial.append(chunk)
      if partial.length - reported >= 1 << 20 || partial.length == model.size {
        reported = partial.length
        report(.progress(bytes: reported, of: model.size))
      }
    }
    guard partial.length == model.size else {
      throw HTTPError(.connectionLost, "The download ended after \(partial.length) of \(model.size) bytes.")
    }
  }
}
