#if os(Linux)
  import CCurl
  import Glibc

  /// A libcurl handle and what its options point to. Where one request was answered, the next of the same kind finds all
  /// options set but the body, which for those of a conversation is all that changes. Confined to the loop's thread.
  final class CurlHandle {
    let easy: UnsafeMutableRawPointer
    /// Whose transfer it is on.
    private(set) var exchange: CurlExchange?

    /// What options are made of, beside the configuration of the transport: those of equal kinds are equal.
    struct Kind: Equatable {
      enum Body { case none, short, read, readChunked }

      let url: String
      let method: HTTPRequest.Method
      let headers: HTTPHeaders
      let connectTimeout: Duration?
      let contentEncoding: HTTPRequest.ContentEncoding
      let body: Body

      init(_ request: HTTPRequest, _ body: borrowing CurlBodyReader) {
        url = request.url
        method = request.method
        headers = request.headers
        connectTimeout = request.timeouts.connect
        contentEncoding = request.contentEncoding
        let hasBody =
          request.body != nil || method == .post || method == .put || method == .patch
        self.body = !hasBody ? .none : body.isShort ? .short : body.count != nil ? .read : .readChunked
      }

      static func == (left: Self, right: Self) -> Bool {
        left.body == right.body && left.contentEncoding == right.contentEncoding
          && left.connectTimeout == right.connectTimeout && left.url.hasSameBytes(as: right.url)
          && left.method.rawValue.hasSameBytes(as: right.method.rawValue)
          && left.headers.elementsEqual(right.headers) {
            $0.name.hasSameBytes(as: $1.name) && $0.value.hasSameBytes(as: $1.value)
          }
      }
    }

    /// What the options are set for; nil where they are to be set anew.
    private var kind: Kind?
    private var headerList: UnsafeMutablePointer<curl_slist>?
    private let errorText: UnsafeMutablePointer<CChar>
    private var bodyBytes = UnsafeMutableRawBufferPointer(start: nil, count: 0)

    /// Nil when there is not enough memory.
    init?() {
      guard let easy = ccurl_easy_init() else { return nil }
      self.easy = easy
      errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
      errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit {
      ccurl_easy_cleanup(easy)
      ccurl_slist_free(headerList)
      errorText.deallocate()
      bodyBytes.deallocate()
    }

    func isSet(for kind: Kind) -> Bool { self.kind == kind }

    /// What libcurl says about a failure.
    var failureText: String { String(cString: errorText) }

    /// Makes the handle ready for a transfer.
    func attach(
      _ exchange: CurlExchange, _ kind: Kind, _ body: borrowing CurlBodyReader,
      _ configuration: CurlTransport.Configuration
    ) {
      self.exchange = exchange
      errorText[0] = 0
      if !isSet(for: kind) {
        ccurl_easy_reset(easy)
        setOptions(kind, configuration)
        self.kind = kind
      }
      guard kind.body != .none else { return }
      ccurl_set_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, body.count.map { curl_off_t($0) } ?? -1)
      if kind.body == .short { setShortBody(body) }
    }

    /// Ends the use of the handle, which must be out of the loop's multi handle, for a transfer. Only one that was
    /// answered to its end leaves the options as they are.
    func detach(isComplete: Bool) {
      exchange = nil
      if !isComplete { kind = nil }
    }

    // MARK: Options

    /// What is short goes out in one piece with the head, from memory that stays while the transfer runs.
    private func setShortBody(_ body: borrowing CurlBodyReader) {
      let count = body.count ?? 0
      if bodyBytes.count < max(1, count) {
        bodyBytes.deallocate()
        bodyBytes = .allocate(byteCount: max(4_096, count + count / 4), alignment: 16)
      }
      body.copyAll(to: bodyBytes)
      ccurl_set_pointer(easy, CURLOPT_POSTFIELDS, bodyBytes.baseAddress)
    }

    private func setOptions(_ kind: Kind, _ configuration: CurlTransport.Configuration) {
      let this = Unmanaged.passUnretained(self).toOpaque()
      ccurl_set_pointer(easy, CURLOPT_PRIVATE, this)
      ccurl_set_pointer(easy, CURLOPT_ERRORBUFFER, errorText)
      ccurl_set_string(easy, CURLOPT_URL, kind.url)
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
      if let connect = kind.connectTimeout {
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
      ccurl_set_string(easy, CURLOPT_ACCEPT_ENCODING, kind.contentEncoding == .identity ? "identity" : "")
      switch kind.body {
      case .none: if kind.method == .head { ccurl_set_long(easy, CURLOPT_NOBODY, 1) }
      case .short: ccurl_set_long(easy, CURLOPT_POST, 1)
      case .read, .readChunked:
        ccurl_set_long(easy, CURLOPT_POST, 1)
        ccurl_set_data_callback(easy, CURLOPT_READFUNCTION, curlGivesBody)
        ccurl_set_pointer(easy, CURLOPT_READDATA, this)
        ccurl_set_seek_callback(easy, curlSeeksBody)
        ccurl_set_pointer(easy, CURLOPT_SEEKDATA, this)
      }
      ccurl_set_string(easy, CURLOPT_CUSTOMREQUEST, kind.method.rawValue)
      setHeaders(kind)
    }

    private func setHeaders(_ kind: Kind) {
      // Against what libcurl adds by itself: a wait for "100 Continue", and a form's content type.
      var lines = ["Expect:"]
      if kind.headers["content-type"] == nil { lines.append("Content-Type:") }
      if kind.headers["user-agent"] == nil { lines.append("User-Agent: martlet") }
      if kind.body == .readChunked { lines.append("Transfer-Encoding: chunked") }
      for field in kind.headers where !Self.framing.contains(where: field.name.equalsIgnoringASCIICase) {
        lines.append(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
      }
      ccurl_slist_free(headerList)
      headerList = nil
      for line in lines { headerList = ccurl_slist_append(headerList, line) }
      ccurl_set_pointer(easy, CURLOPT_HTTPHEADER, headerList)
    }

    /// The frame of the body is the transport's business.
    private static let framing = ["content-length", "transfer-encoding", "accept-encoding"]
  }

  extension String {
    /// Texts that Unicode holds to be equal are not the same to a server.
    fileprivate func hasSameBytes(as other: String) -> Bool {
      utf8.count == other.utf8.count
        && utf8.withContiguousStorageIfAvailable { left in
          other.utf8.withContiguousStorageIfAvailable { right in
            guard let left = left.baseAddress, let right = right.baseAddress else { return true }
            return memcmp(left, right, utf8.count) == 0
          } ?? false
        } ?? false
    }
  }

  // Callbacks are functions at top level: a closure takes the isolation of where it is written and would check it here, on
  // the loop's thread.

  private func exchange(_ context: UnsafeMutableRawPointer?) -> CurlExchange? {
    context.flatMap { Unmanaged<CurlHandle>.fromOpaque($0).takeUnretainedValue().exchange }
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
