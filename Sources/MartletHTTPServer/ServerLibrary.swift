#if os(Linux)
  import CMicroHTTPD

  package enum ServerLibrary {
    /// Why libmicrohttpd cannot be used; nil when it can.
    package static var problem: String? { cmhd_load().map { String(cString: $0) } }
  }
#endif
