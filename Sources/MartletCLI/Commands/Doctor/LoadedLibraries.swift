import MartletCrypto
import MartletHTTP
import MartletHTTPServer

/// The C libraries that this program loads when it first needs them; SQLite's is looked at with the session store.
enum LoadedLibraries {
  static var findings: [Finding] {
    #if os(Linux)
      [
        finding("libcrypto", CryptoLibrary.problem, "libssl3", isNeeded: true),
        finding("libcurl", CurlLibrary.problem, "libcurl4"),
        finding("libmicrohttpd", ServerLibrary.problem, "libmicrohttpd12"),
      ]
    #else
      []
    #endif
  }

  private static func finding(
    _ name: String, _ problem: String?, _ package: String, isNeeded: Bool = false
  ) -> Finding {
    guard let problem else { return .ok(name, "can be loaded") }
    return .missing(name, problem, "install it, on Debian with: apt-get install \(package)", isNeeded: isNeeded)
  }
}
