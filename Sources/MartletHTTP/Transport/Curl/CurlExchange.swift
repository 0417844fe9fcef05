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
    let easy: UnsafeMutableRawPointer
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
    private var headerList: UnsafeMutablePointer<curl_slist>?
    private let errorText: UnsafeMutablePointer<CChar>

    init(
      _ transfer: CurlTransfer, easy: UnsafeMutableRawPointer, configuration: CurlTransport.Configuration,
      context: Context
    ) throws(HTTPError) {
      body = try CurlBodyReader(transfer.request.body, upload: transfer.upload)
      self.transfer = transfer
      self.easy = easy
      self.context = context
      bufferLimit = configuration.bufferLimit
      lastActivity = context.now
      errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
      errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
      setOptions(configuration)
    }

    deinit { errorText.deallocate() }

    /// Cleans the handle, which must be out of the loop's multi handle, for another transfer. Of no more use afterwards
    /// than to be finished.
    func detach() {
      ccurl_easy_reset(easy)
      ccurl_slist_free(headerList)
      headerList = nil
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
      ccurl_easy_pause(easy, CURLPAUSE_CONT)
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
            detail: String(cString: errorText)))
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

    fileprivate func connected() {
      isConnected = true
      lastActivity = context.now
    }

    fileprivate func take(_ bytes: UnsafeRawBufferPointer) -> Int {
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

    fileprivate func takeHeadLine(_ line: UnsafeRawBufferPointer) -> Int {
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

    fileprivate func give(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
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

    fileprivate func seek(to offset: Int) -> Bool { body.seek(to: offset) }

    // MARK: Options

    private func setOptions(_ configuration: CurlTransport.Configuration) {
      let request = transfer.request
      let this = Unmanaged.passUnretained(self).toOpaque()
      ccurl_set_pointer(easy, CURLOPT_PRIVATE, this)
      ccurl_set_pointer(easy, CURLOPT_ERRORBUFFER, errorText)
      ccurl_set_string(easy, CURLOPT_URL, request.url)
      ccurl_set_string(easy, CURLOPT_PROTOCOLS_STR, "http,https")
      ccurl_set_data_callback(easy, CURLOPT_WRITEFUNCTION, curlTakesBody)
      ccurl_set_pointer(easy, CURLOPT_WRITEDATA, this)
      ccurl_set_data_callback(easy, CURLOPT_HEADERFUNCTION, curlTakesHeadLine)
      ccurl_set_pointer(easy, CURLOPT_HEADERDATA, this)
      ccurl_set_ready_callback(easy, curlIsConnected, this)
      ccurl_set_close_on_exec(easy)
      ccurl_set_long(easy, CURLOPT_NOSIGNAL, 1)
      // Without it, ending a transfer waits for its name resolution, and with it the loop and all other transfers.
      ccurl_set_long(easy, CURLOPT_QUICK_EXIT, 1)
      ccurl_set_long(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
      ccurl_set_long(easy, CURLOPT_BUFFERSIZE, 64 << 10)
      ccurl_set_long(easy, CURLOPT_TCP_KEEPALIVE, 1)
      ccurl_set_long(easy, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
      ccurl_set_long(
        easy, CURLOPT_HTTP_VERSION,
        Int(configuration.version == .http2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1))
      if let connect = request.timeouts.connect {
        ccurl_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, max(1, connect.wholeMilliseconds))
      } else {
        ccurl_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, Int(Int32.max))
      }
      if let file = configuration.certificateFile { ccurl_set_string(easy, CURLOPT_CAINFO, file) }
      switch configuration.proxy {
      case .environment: break
      case .none: ccurl_set_string(easy, CURLOPT_PROXY, "")
      case .url(let url): ccurl_set_string(easy, CURLOPT_PROXY, url)
      }
      // libcurl asks for what is named here and decodes what comes, also from servers that compress unasked.
      ccurl_set_string(easy, CURLOPT_ACCEPT_ENCODING, request.contentEncoding == .identity ? "identity" : "")
      setMethodAndBody(request)
      setHeaders(request)
    }

    private func setMethodAndBody(_ request: HTTPRequest) {
      if request.body != nil || request.method == .post || request.method == .put || request.method == .patch {
        ccurl_set_long(easy, CURLOPT_POST, 1)
        ccurl_set_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, body.count.map { curl_off_t($0) } ?? -1)
        // What is short goes out in one piece with the head.
        if let bytes = body.shortContent {
          _ = bytes.withUnsafeBytes {
            ccurl_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, $0.baseAddress ?? UnsafeRawPointer(errorText))
          }
        } else {
          let this = Unmanaged.passUnretained(self).toOpaque()
          ccurl_set_data_callback(easy, CURLOPT_READFUNCTION, curlGivesBody)
          ccurl_set_pointer(easy, CURLOPT_READDATA, this)
          ccurl_set_seek_callback(easy, curlSeeksBody)
          ccurl_set_pointer(easy, CURLOPT_SEEKDATA, this)
        }
      } else if request.method == .head {
        ccurl_set_long(easy, CURLOPT_NOBODY, 1)
      }
      ccurl_set_string(easy, CURLOPT_CUSTOMREQUEST, request.method.rawValue)
    }

    private func setHeaders(_ request: HTTPRequest) {
      // Against what libcurl adds by itself: a wait for "100 Continue", and a form's content type.
      var lines = ["Expect:"]
      if request.headers["content-type"] == nil { lines.append("Content-Type:") }
      if request.headers["user-agent"] == nil { lines.append("User-Agent: martlet") }
      if request.body != nil, body.count == nil { lines.append("Transfer-Encoding: chunked") }
      for field in request.headers where !Self.framing.contains(where: field.name.equalsIgnoringASCIICase) {
        lines.append(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
      }
      for line in lines { headerList = ccurl_slist_append(headerList, line) }
      ccurl_set_pointer(easy, CURLOPT_HTTPHEADER, headerList)
    }

    /// The frame of the body is the transport's business.
    private static let framing = ["content-length", "transfer-encoding", "accept-encoding"]
  }

  // Callbacks are functions at top level: a closure takes the isolation of where it is written and would check it here, on
  // the loop's thread.

  private func exchange(_ context: UnsafeMutableRawPointer?) -> CurlExchange? {
    context.map { Unmanaged<CurlExchange>.fromOpaque($0).takeUnretainedValue() }
  }

  private func curlTakesBody(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
  ) -> Int {
    exchange(context)?.take(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
  }

  private func curlTakesHeadLine(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
  ) -> Int {
    exchange(context)?.takeHeadLine(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
  }

  private func curlGivesBody(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
  ) -> Int {
    exchange(context)?.give(UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
      ?? Int(CURL_READFUNC_ABORT)
  }

  private func curlSeeksBody(_ context: UnsafeMutableRawPointer?, _ offset: curl_off_t, _ origin: Int32) -> Int32 {
    guard origin == 0, exchange(context)?.seek(to: Int(offset)) == true else { return CURL_SEEKFUNC_CANTSEEK }
    return CURL_SEEKFUNC_OK
  }

  private func curlIsConnected(
    _ context: UnsafeMutableRawPointer?, _: UnsafeMutablePointer<CChar>?, _: UnsafeMutablePointer<CChar>?, _: Int32,
    _: Int32
  ) -> Int32 {
    exchange(context)?.connected()
    return CURL_PREREQFUNC_OK
  }
#endif
