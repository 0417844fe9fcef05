#if os(Linux)
  import Dispatch
  import MartletSync

  /// An HTTP/1.1 server over libmicrohttpd: routes, bodies that stream both ways with back-pressure, kept connections,
  /// limits. TLS is a proxy's business.
  ///
  /// Starts at once; ends with ``stop(grace:)``, which must be called.
  public final class HTTPServer: Sendable {
    /// Where it listens, and its limits.
    public let configuration: Configuration
    /// The port it listens on.
    public let port: UInt16
    private let core: ServerCore
    private let daemon: ServerDaemon

    /// Starts a server.
    /// - Throws: ``HTTPServerError``.
    public init(_ configuration: Configuration = Configuration(), routes: [HTTPRoute]) throws {
      self.configuration = configuration
      core = try ServerCore(configuration, routes: routes)
      daemon = try ServerDaemon(core)
      port = daemon.port
      do {
        try core.startWatching()
      } catch {
        daemon.stop()
        throw error
      }
    }

    /// `http://127.0.0.1:8080`, without a slash at the end.
    public var url: String {
      "http://\(configuration.address.contains(":") ? "[\(configuration.address)]" : configuration.address):\(port)"
    }

    /// How many requests are being answered now.
    public var requestsUnderWay: Int { core.exchangeCount }

    /// Runs `body` with a server, and stops it afterwards in any case.
    public static func withServer<Result>(
      _ configuration: Configuration = Configuration(), routes: [HTTPRoute], _ body: (HTTPServer) async throws -> Result
    ) async throws -> Result {
      let server = try HTTPServer(configuration, routes: routes)
      do {
        let result = try await body(server)
        await server.stop(grace: .zero)
        return result
      } catch {
        await server.stop(grace: .zero)
        throw error
      }
    }

    /// Accepts nothing more, lets requests under way finish for up to `grace`, then cancels their handlers, waits for them
    /// and closes all connections. The second time does nothing. Not cut short by cancellation.
    public func stop(grace: Duration = .seconds(5)) async {
      core.beginStopping()
      daemon.quiesce()
      let isIdle = Task { [core] in await core.waitUntilIdle() }
      let deadline = Task { [core] in
        // Cancelled when there is nothing left to wait for.
        do { try await Task.sleep(for: grace) } catch { return }
        core.cancelAll()
      }
      await isIdle.value
      deadline.cancel()
      await deadline.value
      await withCheckedContinuation { continuation in
        DispatchQueue.global().async { [daemon] in
          daemon.stop()
          continuation.resume()
        }
      }
      core.stopWatching()
    }
  }
#endif
