public import MartletJSON

/// What a client says about itself, to a server that registers it or in a document of its own.
public struct OAuthClientMetadata: Sendable, Hashable {
  /// What kind of program it is.
  public enum ApplicationType: String, Sendable {
    /// It runs on the user's machine, with redirects to it or to a scheme of its own.
    case native
    /// It runs on a web server.
    case web
  }

  /// Its name for people.
  public var name: String
  /// Where people read about it.
  public var uri: String?
  /// What kind of program it is. By default native.
  public var applicationType: ApplicationType

  /// What a client says about itself.
  public init(name: String = "Martlet", uri: String? = nil, applicationType: ApplicationType = .native) {
    self.name = name
    self.uri = uri
    self.applicationType = applicationType
  }

  /// The document that is to be found at `url`, for authorization servers that take such URLs as client ids (OAuth Client
  /// ID Metadata Document).
  public func document(url: String, redirectURIs: [String]) -> JSONValue {
    var object = registration(redirectURIs: redirectURIs, authenticationMethod: "none", scope: nil)
    var document: JSONObject = ["client_id": .string(url)]
    for (key, value) in object { document[key] = value }
    object = document
    return .object(object)
  }

  /// The request for a registration (RFC 7591).
  func registration(redirectURIs: [String], authenticationMethod: String, scope: String?) -> JSONObject {
    var object: JSONObject = [
      "client_name": .string(name), "redirect_uris": .array(redirectURIs.map(JSONValue.string)),
      "grant_types": ["authorization_code", "refresh_token"], "response_types": ["code"],
      "token_endpoint_auth_method": .string(authenticationMethod),
      "application_type": .string(applicationType.rawValue),
    ]
    if let uri { object["client_uri"] = .string(uri) }
    if let scope { object["scope"] = .string(scope) }
    return object
  }
}
