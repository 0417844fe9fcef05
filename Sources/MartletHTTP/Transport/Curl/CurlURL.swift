#if os(Linux)
  import CCurl

  /// URLs as libcurl reads them: the same parser decides about origins and connects. Needs libcurl to be loaded.
  enum CurlURL {
    /// Scheme, host and port in a comparable form: `https://example.org:443`.
    static func origin(of url: String) -> String? {
      withParsed(url) { handle in
        guard let scheme = part(CURLUPART_SCHEME, of: handle), let host = part(CURLUPART_HOST, of: handle),
          let port = part(CURLUPART_PORT, of: handle, flags: UInt32(CURLU_DEFAULT_PORT))
        else { return nil }
        return "\(scheme)://\(host.lowercased()):\(port)"
      }
    }

    /// Where `reference` leads from `base`.
    static func resolve(_ reference: String, from base: String) -> String? {
      withParsed(base) { handle in
        // libcurl resolves a relative reference against what the handle already holds.
        guard ccurl_url_set(handle, CURLUPART_URL, reference, UInt32(CURLU_URLENCODE)) == CURLUE_OK else { return nil }
        return part(CURLUPART_URL, of: handle)
      }
    }

    private static func withParsed(_ url: String, _ body: (OpaquePointer) -> String?) -> String? {
      guard let handle = ccurl_url_init() else { return nil }
      defer { ccurl_url_cleanup(handle) }
      guard ccurl_url_set(handle, CURLUPART_URL, url, 0) == CURLUE_OK else { return nil }
      return body(handle)
    }

    private static func part(_ part: CURLUPart, of handle: OpaquePointer, flags: UInt32 = 0) -> String? {
      var text: UnsafeMutablePointer<CChar>?
      guard ccurl_url_get(handle, part, &text, flags) == CURLUE_OK, let text else { return nil }
      defer { ccurl_free(text) }
      return String(cString: text)
    }
  }
#endif
