extension HTTPRequest {
  /// The request that a redirect asks for.
  /// - Parameters:
  ///   - status: 301, 302, 303, 307 or 308.
  ///   - url: where it leads, absolute.
  ///   - sameOrigin: whether scheme, host and port stay the same.
  func redirected(status: Int, to url: String, sameOrigin: Bool) throws(HTTPError) -> HTTPRequest {
    var next = self
    if self.url.hasScheme("https"), !url.hasScheme("https") {
      throw HTTPError(.badRedirect, "\(self.url.urlOrigin) redirects to an unencrypted address; that is not followed.")
    }
    next.url = url
    // RFC 9110, 15.4: 303 changes to GET; 301 and 302 do for POST, as all clients do.
    if status == 303 && method != .head || (status == 301 || status == 302) && method == .post {
      next.method = .get
      next.body = nil
      next.headers.remove(["content-type", "content-encoding", "content-language", "content-location"])
    }
    if case .stream = next.body {
      throw HTTPError(.badRedirect, "\(self.url.urlOrigin) redirects an upload that cannot be sent a second time.")
    }
    if !sameOrigin {
      next.headers.remove(["authorization", "cookie", "proxy-authorization"] + credentialHeaders)
      next.headers["host"] = nil
    }
    return next
  }
}

extension HTTPResponse {
  /// Whether the status is one that redirects with a `location`.
  static func isRedirect(_ status: Int) -> Bool { [301, 302, 303, 307, 308].contains(status) }
}

extension String {
  func hasScheme(_ scheme: String) -> Bool { prefix(scheme.count + 1).lowercased() == scheme + ":" }
}
