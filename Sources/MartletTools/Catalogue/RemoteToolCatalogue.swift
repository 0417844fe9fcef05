public import Martlet
public import MartletHTTP
import MartletJSON

/// A tool catalogue on a server, and the last good copy of it on this machine.
///
/// ```swift
/// let remote = RemoteToolCatalogue(url: "https://example.com/tools.json", copy: path, transport: transport)
/// let fetched = try await remote.fetch()
/// let problems = await registry.apply(fetched.catalogue)
/// ```
/// Conversations under way see the change with their next prompt, as a new epoch.
public struct RemoteToolCatalogue: Sendable {
  /// What came of asking for it.
  public struct Fetched: Sendable, Hashable {
    /// The catalogue: the server's, or the last good copy, or an empty one.
    public var catalogue: ToolCatalogue
    /// Why it is not the server's, or why no copy was kept; nil when all is well. One sentence, with no secret in it.
    public var warning: String?
  }

  /// Bytes that a catalogue may have.
  public static let limit = 1 << 20

  private let url: String
  private let copy: String?
  private let transport: any HTTPTransport
  private let headers: HTTPHeaders
  private let timeout: Duration

  /// A catalogue at a URL.
  /// - Parameters:
  ///   - copy: the file where the last good copy is kept; nil keeps none.
  ///   - headers: such as an authorization.
  ///   - timeout: for the whole of it. Default 10 s.
  public init(
    url: String, copy: String? = nil, transport: any HTTPTransport, headers: HTTPHeaders = [:],
    timeout: Duration = .seconds(10)
  ) {
    self.url = url
    self.copy = copy
    self.transport = transport
    self.headers = headers
    self.timeout = timeout
  }

  /// Asks the server. A catalogue that does not come, or is not as it should be, changes nothing: the last good copy holds.
  /// - Throws: `CancellationError` only.
  public func fetch() async throws -> Fetched {
    let reason: String
    do {
      let bytes = try await download()
      let catalogue = try Self.catalogue(bytes)
      return Fetched(catalogue: catalogue, warning: keep(bytes))
    } catch let error as CancellationError {
      throw error
    } catch let error as HTTPError {
      try Task.checkCancellation()
      reason = error.message
    } catch {
      reason = "\(error)"
    }
    let trouble = "the tool catalogue at \(place) cannot be used: \(reason)"
    do {
      guard let kept = try kept() else {
        return Fetched(catalogue: ToolCatalogue(), warning: "\(trouble); the tools stay as they are")
      }
      return Fetched(catalogue: kept, warning: "\(trouble); the last good copy is used")
    } catch {
      return Fetched(
        catalogue: ToolCatalogue(),
        warning: "\(trouble); nor can the last good copy: \(error); the tools stay as they are")
    }
  }

  private struct Refused: Error, CustomStringConvertible {
    var description: String
  }

  private func download() async throws -> [UInt8] {
    var request = request
    request.headers["accept"] = "application/json"
    let response = try await transport.send(request)
    guard response.status == 200 else {
      throw Refused(description: "the server answered with status \(response.status)")
    }
    return try await response.body.bytes(limit: Self.limit)
  }

  private var request: HTTPRequest {
    HTTPRequest(
      .get, url, headers: headers, timeouts: .init(connect: timeout, idle: timeout, total: timeout),
      redirects: .follow(limit: 3), contentEncoding: .compressed)
  }

  /// The URL as it may be shown.
  private var place: String { String("\(request)".drop { $0 != " " }.dropFirst()) }

  private static func catalogue(_ bytes: [UInt8]) throws -> ToolCatalogue {
    try ToolCatalogue(json: JSONValue(parsing: bytes, options: .init(duplicateKeys: .error)))
  }

  private func kept() throws -> ToolCatalogue? {
    guard let copy, StorageFile.exists(copy) else { return nil }
    return try Self.catalogue(try StorageFile(copy).read(0..<Self.limit))
  }

  /// Gives what went wrong.
  private func keep(_ bytes: [UInt8]) -> String? {
    guard let copy else { return nil }
    do {
      if let slash = copy.lastIndex(of: "/"), slash > copy.startIndex {
        try StorageFile.makeDirectory(String(copy[..<slash]))
      }
      try StorageFile.replace(copy, with: bytes)
      return nil
    } catch {
      return "no copy of the tool catalogue could be kept in \(copy): \(error)"
    }
  }
}
