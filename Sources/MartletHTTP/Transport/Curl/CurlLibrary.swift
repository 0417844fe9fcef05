#if os(Linux)
  import CCurl

  package enum CurlLibrary {
    /// Why libcurl cannot be used; nil when it can.
    package static var problem: String? { ccurl_load().map { String(cString: $0) } }

    /// Loads libcurl, the first time.
    static func load() throws(HTTPError) {
      if let reason = ccurl_load() {
        throw HTTPError(
          .unavailable,
          "libcurl cannot be used (\(String(cString: reason))); install it, on Debian with: apt-get install libcurl4")
      }
    }
  }
#endif
