#if os(Linux)
  import CCurl

  enum CurlLibrary {
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
