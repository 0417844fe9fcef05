#if os(Linux)
  import CMicroHTTPD
  import Dispatch
  import Glibc
  import MartletHTTP
  import MartletSync

  /// A running daemon of libmicrohttpd, and its callbacks.
  final class ServerDaemon: Sendable {
    let port: UInt16
    private let core: ServerCore
    /// `nil` once stopped. libmicrohttpd's handle may be used by any thread.
    private let handle: Locked<OpaquePointer?>

    init(_ core: ServerCore) throws(HTTPServerError) {
      let configuration = core.configuration
      if let reason = cmhd_load() {
        throw HTTPServerError(
          .unavailable,
          "libmicrohttpd cannot be used (\(String(cString: reason))); install it, on Debian with: "
            + "apt-get install libmicrohttpd12")
      }
      var bound: UInt16 = 0
      let listener = cmhd_listen(configuration.address, configuration.port, 512, &bound)
      guard listener >= 0 else { throw Self.listenError(errno, configuration) }
      let callbacks = cmhd_callbacks(
        handle: serverHandles, begin: serverBegins, end: serverEnds, connection: serverNotesConnection,
        context: Unmanaged.passUnretained(core).toOpaque())
      let idleSeconds = UInt32(clamping: max(1, configuration.idleTimeout.components.seconds))
      let daemon = cmhd_start(
        listener, callbacks, UInt32(clamping: configuration.connectionLimit), configuration.headLimit, idleSeconds)
      guard let daemon else {
        Glibc.close(listener)
        throw HTTPServerError(
          .unavailable, "The server cannot start: libmicrohttpd refuses, or there is no thread left.")
      }
      self.core = core
      port = bound
      handle = Locked(OpaquePointer(UnsafeMutableRawPointer(daemon)))
    }

    /// Accepts no more connections.
    func quiesce() { handle.withLock { if let handle = $0 { cmhd_quiesce(handle) } } }

    /// Closes all connections and ends the thread; no exchange may be under way. Blocks.
    func stop() {
      let stopped = handle.withLock { handle in
        defer { handle = nil }
        return handle
      }
      if let stopped { cmhd_stop(stopped) }
    }

    private static func listenError(_ number: Int32, _ configuration: HTTPServer.Configuration) -> HTTPServerError {
      let place = "\(configuration.address):\(configuration.port)"
      switch number {
      case EADDRINUSE:
        return HTTPServerError(
          .portTaken, "Port \(configuration.port) is taken by another program; choose another, or 0 for any free one.")
      case EACCES:
        return HTTPServerError(.cannotListen, "Listening on \(place) is not permitted; choose a port from 1024 on.")
      case EADDRNOTAVAIL:
        return HTTPServerError(.cannotListen, "This machine has no address \(configuration.address) to listen on.")
      default:
        return HTTPServerError(.cannotListen, "Cannot listen on \(place): \(String(cString: strerror(number))).")
      }
    }
  }

  // The callbacks are functions at top level, so that they have no isolation. `context` is the core, which the server keeps
  // as long as the daemon runs.

  private func core(_ context: UnsafeMutableRawPointer?) -> ServerCore? {
    context.map { Unmanaged<ServerCore>.fromOpaque($0).takeUnretainedValue() }
  }

  private func exchange(_ context: UnsafeMutableRawPointer?) -> ServerExchange? {
    context.map { Unmanaged<ServerExchange>.fromOpaque($0).takeUnretainedValue() }
  }

  private func serverNotesConnection(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
    _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ code: MHD_ConnectionNotificationCode
  ) {
    guard let core = core(context), let connection, let slot else { return }
    if code == cmhd_connection_started {
      slot.pointee = Unmanaged.passRetained(core.open(cmhd_descriptor(connection))).toOpaque()
    } else if let opened = slot.pointee {
      core.close(Unmanaged<ServerConnection>.fromOpaque(opened).takeRetainedValue())
      slot.pointee = nil
    }
  }

  private func serverBegins(
    _ context: UnsafeMutableRawPointer?, _ target: UnsafePointer<CChar>?, _ connection: OpaquePointer?
  ) -> UnsafeMutableRawPointer? {
    guard let core = core(context), let target, let connection else { return nil }
    let opened = cmhd_socket_context(connection).map {
      Unmanaged<ServerConnection>.fromOpaque($0).takeUnretainedValue()
    }
    let exchange = ServerExchange(
      connection, target: String(cString: target), connection: opened, bodyLimit: core.configuration.bodyLimit)
    core.begin(exchange)
    return Unmanaged.passRetained(exchange).toOpaque()
  }

  private func serverHandles(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _: UnsafePointer<CChar>?,
    _ method: UnsafePointer<CChar>?, _: UnsafePointer<CChar>?, _ bytes: UnsafePointer<CChar>?,
    _ count: UnsafeMutablePointer<Int>?, _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
  ) -> MHD_Result {
    guard let core = core(context), let connection, let method, let count, let exchange = exchange(slot?.pointee) else {
      return cmhd_no
    }
    if exchange.begin() {
      var headers = HTTPHeaders()
      withUnsafeMutablePointer(to: &headers) { cmhd_each_header(connection, serverTakesHeader, $0) }
      guard let response = core.answer(exchange, method: String(cString: method), headers: headers) else {
        return cmhd_yes
      }
      return queue(response, exchange, connection, core)
    }
    if count.pointee > 0 {
      switch exchange.receive(UnsafeRawBufferPointer(start: bytes, count: count.pointee)) {
      case .taken: count.pointee = 0
      case .later: break
      case .close: return cmhd_no
      }
      return cmhd_yes
    }
    guard let response = exchange.response() else { return cmhd_yes }
    return queue(response, exchange, connection, core)
  }

  private func queue(
    _ response: HTTPResponse, _ exchange: ServerExchange, _ connection: OpaquePointer, _ core: ServerCore
  ) -> MHD_Result {
    let message: OpaquePointer?
    if let bytes = response.body.buffered {
      message = bytes.withUnsafeBytes { cmhd_bytes_response($0.baseAddress, $0.count) }
    } else {
      let length = response.headers["content-length"].flatMap { Int64($0) } ?? -1
      // For a stream of events a small block; each connection has one.
      message = cmhd_stream_response(
        length, length < 0 ? 4 << 10 : 32 << 10, serverReads, Unmanaged.passRetained(exchange).toOpaque(),
        serverReleases)
    }
    guard let message else { return cmhd_no }
    for field in response.headers where !["content-length", "transfer-encoding"].contains(field.name.lowercased()) {
      // libmicrohttpd refuses what would break the head apart.
      _ = cmhd_add_header(message, field.name, field.value)
    }
    if core.isStopping { _ = cmhd_add_header(message, "Connection", "close") }
    return cmhd_respond(connection, UInt32(clamping: response.status), message)
  }

  private func serverTakesHeader(
    _ context: UnsafeMutableRawPointer?, _: MHD_ValueKind, _ name: UnsafePointer<CChar>?, _ value: UnsafePointer<CChar>?
  ) -> MHD_Result {
    if let context, let name {
      context.assumingMemoryBound(to: HTTPHeaders.self).pointee
        .add(String(cString: name), value.map { String(cString: $0) } ?? "")
    }
    return cmhd_yes
  }

  private func serverReads(
    _ context: UnsafeMutableRawPointer?, _: UInt64, _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int
  ) -> Int {
    exchange(context)?.fill(UnsafeMutableRawBufferPointer(start: buffer, count: size)) ?? -2
  }

  private func serverReleases(_ context: UnsafeMutableRawPointer?) {
    if let context { Unmanaged<ServerExchange>.fromOpaque(context).release() }
  }

  private func serverEnds(
    _ context: UnsafeMutableRawPointer?, _: OpaquePointer?, _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    _: MHD_RequestTerminationCode
  ) {
    guard let core = core(context), let slot, let begun = slot.pointee else { return }
    slot.pointee = nil
    let exchange = Unmanaged<ServerExchange>.fromOpaque(begun).takeRetainedValue()
    exchange.end()
    core.endPart(of: exchange)
  }
#endif
