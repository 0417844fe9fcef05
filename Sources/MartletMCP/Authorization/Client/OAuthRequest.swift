import MartletHTTP
import MartletJSON

/// What all requests to authorization servers have in common.
enum OAuthRequest {
  static let timeouts = HTTPRequest.Timeouts(connect: .seconds(10), idle: .seconds(30), total: .seconds(30))
  /// The most bytes of an answer that are read.
  static let limit = 256 << 10

  /// A request for metadata. Redirects are not followed: metadata binds to the place where it was asked for.
  static func metadata(_ url: String) -> HTTPRequest {
    HTTPRequest(.get, url, headers: ["accept": "application/json"], timeouts: timeouts, redirects: .deliver)
  }

  /// The JSON object of a body; `nil` for anything else. Why it is none does not matter: servers answer unknown paths
  /// with all sorts of pages, and errors with or without words.
  static func object(_ body: [UInt8]) -> JSONValue? {
    do {
      let value = try JSONValue(parsing: body)
      return value.objectValue == nil ? nil : value
    } catch {
      return nil
    }
  }
}
