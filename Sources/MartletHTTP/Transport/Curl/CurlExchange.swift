#if os(Linux)
  import CCurl
  import MartletSync

  /// The loop's half of a transfer: the libcurl handle, what has arrived and not been handed over, and when something
  /// last moved. Confined to the loop's thread.
  final class CurlExchange {
    /// What all exchanges of a loop share.
    final class Context {
      var now = ContinuousClock.now
      /// Those that have something to hand over. Handing over once for each wake-up of the loop, and not for each piece
      /// that libcurl delivers, is what makes many small pieces (one for each event, mostly) cheap.
      var ready: [CurlExchange] = []
    }

    let transfer: CurlTransfer
    let handle: CurlHandle
    private(set) var isConnected = false
    private(set) var lastActivity: ContinuousClock.Instant
    /// The reader has not taken what is there, or the stream to upload has nothing: silence is not the server's fault.
    private(set) var isWaiting = false

    private let context: Context
    private let bufferLimit: Int
    /// When a transfer that nobody reads any more ends at the latest, and how much of it has been thrown away.
    private var lastMoment: ContinuousClock.Instant?
    private var thrownAway = 0
    private static let thrownAwayLimit = 256 << 10
    private var isListed = false
    private var incoming: [UInt8] = []
    private var lyingCount = 0
    private var usualCount = 0
    private var head = ResponseHeadParser()
    private var readyHead: (status: Int, headers: HTTPHeaders)?
    private var body: CurlBodyReader
    /// What a callback found wrong; it explains libcurl's result better than libcurl can.
    private var failure: HTTPError?

    /// - Parameter handle: gives a handle, if it can one for requests of this kind.
    init(
      _ transfer: CurlTransfer, configuration: CurlTransport.Configuration, context: Context,
      handle: (CurlHandle.Kind) -> CurlHandle?
    ) throws(HTTPError) {
      body = try CurlBodyReader(transfer.request.body, upload: transfer.upload)
      let kind = CurlHandle.Kind(transfer.request, body)
      guard let handle = handle(kind) else {
        throw HTTPError(.unavailable, "There is not enough memory for the request.")
      }
      self.handle = handle
      self.transfer = transfer
      self.context = context
      bufferLimit = configuration.bufferLimit
      lastActivity = context.now
      handle.attach(self, kind, body, configuration)
    }

    /// When to look again whether the server is silent for too long; `nil` for never.
    var nextIdleCheck: ContinuousClock.Instant? {
      if let lastMoment { return lastMoment }
      guard !isWaiting, let idle = transfer.request.timeouts.idle else { return nil }
      return (isConnected ? lastActivity : context.now) + idle
    }

    /// The timeout that has passed.
    var overdue: HTTPError? {
      let origin = transfer.request.url.urlOrigin
      if let deadline = transfer.deadline, deadline <= context.now {
        return HTTPError(.totalTimeout, "The request to \(origin) took longer than its time limit.")
      }
      if let lastMoment {
        return lastMoment <= context.now ? HTTPError(.connectionLost, "The body was not read to its end.") : nil
      }
      if isConnected, let idle = transfer.request.timeouts.idle, let check = nextIdleCheck, check <= context.now {
        return HTTPError(.idleTimeout, "\(origin) sent nothing for \(idle).")
      }
      return nil
    }

    /// Hands over what has arrived.
    func publish() {
      isListed = false
      if readyHead != nil || !incoming.isEmpty { handOver() }
    }

    /// Goes on after a pause.
    func resume() {
      isWaiting = false
      lastActivity = context.now
      lyingCount = 0
      ccurl_easy_pause(handle.easy, CURLPAUSE_CONT)
    }

    /// Goes on for a moment without a reader: what is left is thrown away.
    func letGo() {
      lastMoment = context.now + .seconds(1)
      if isWaiting { resume() }
    }

    /// Ends the transfer with what libcurl says about it.
    func finish(_ result: CURLcode) {
      guard result != CURLE_OK else { return handOver(end: .complete) }
      finish(
        failure
          ?? HTTPError(
            result, connected: isConnected, origin: transfer.request.url.urlOrigin,
            detail: handle.failureText))
    }

    func finish(_ error: HTTPError) { handOver(end: .failed(error)) }

    private func handOver(end: CurlTransfer.End? = nil, pausing: Bool = false) {
      usualCount = min(incoming.count, 64 << 10)
      lyingCount = transfer.publish(&incoming, head: readyHead, end: end, pausing: pausing)
      readyHead = nil
    }

    private func list() {
      if !isListed {
        isListed = true
        context.ready.append(self)
      }
    }

    // MARK: What libcurl calls

    func connected() {
      isConnected = true
      lastActivity = context.now
    }

    func take(_ bytes: UnsafeRawBufferPointer) -> Int {
      lastActivity = context.now
      if lastMoment != nil {
        thrownAway += bytes.count
        return thrownAway > Self.thrownAwayLimit ? 0 : bytes.count
      }
      if incoming.count + lyingCount >= bufferLimit {
        handOver(pausing: true)
        if lyingCount >= bufferLimit {
          isWaiting = true
          return Int(CURL_WRITEFUNC_PAUSE)
        }
      }
      if incoming.isEmpty { incoming.reserveCapacity(max(usualCount, bytes.count)) }
      incoming.append(contentsOf: bytes)
      list()
      return bytes.count
    }

    func takeHeadLine(_ line: UnsafeRawBufferPointer) -> Int {
      lastActivity = context.now
      do throws(HTTPError) {
        if let complete = try head.take(line) {
          readyHead = complete
          list()
        }
        return line.count
      } catch {
        failure = error
        return 0
      }
    }

    func give(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
      lastActivity = context.now
      do throws(HTTPError) {
        if let count = try body.read(into: buffer) { return count }
        isWaiting = true
        return Int(CURL_READFUNC_PAUSE)
      } catch {
        failure = error
        return Int(CURL_READFUNC_ABORT)
      }
    }

    func seek(to offset: Int) -> Bool { body.seek(to: offset) }
  }
#endif
