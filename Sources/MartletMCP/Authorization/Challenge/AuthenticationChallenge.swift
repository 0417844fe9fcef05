public import MartletHTTP

/// One challenge of a `WWW-Authenticate` header (RFC 9110, 11.6.1).
public struct AuthenticationChallenge: Sendable, Hashable {
  /// The scheme as it was written, such as `Bearer`.
  public let scheme: String
  /// The parameters in order; names in lower case.
  public let parameters: [(name: String, value: String)]

  /// A challenge.
  public init(scheme: String, parameters: [(name: String, value: String)]) {
    self.scheme = scheme
    self.parameters = parameters
  }

  /// The value of a parameter, the first if there are several.
  public subscript(name: String) -> String? { parameters.first { $0.name == name }?.value }

  public static func == (left: Self, right: Self) -> Bool {
    left.scheme.lowercased() == right.scheme.lowercased()
      && left.parameters.map(\.name) == right.parameters.map(\.name)
      && left.parameters.map(\.value) == right.parameters.map(\.value)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(scheme.lowercased())
    for (name, value) in parameters {
      hasher.combine(name)
      hasher.combine(value)
    }
  }

  /// All challenges of a response, in order. What cannot be read is skipped: a server that says 401 wants credentials,
  /// however badly it puts it.
  public static func all(in headers: HTTPHeaders) -> [Self] {
    headers.values(for: "www-authenticate").flatMap { ChallengeParser.parse($0) }
  }

  /// The challenge as a header value.
  public var headerValue: String {
    guard !parameters.isEmpty else { return scheme }
    return scheme + " " + parameters.map { "\($0.name)=\(Self.quoted($0.value))" }.joined(separator: ", ")
  }

  /// In quotes; what a quoted string cannot hold (RFC 9110, 5.6.4) is left out.
  private static func quoted(_ text: String) -> String {
    var bytes: [UInt8] = [0x22]
    for byte in text.utf8 where byte == 0x09 || byte >= 0x20 && byte != 0x7F {
      if byte == 0x22 || byte == 0x5C { bytes.append(0x5C) }
      bytes.append(byte)
    }
    return String(decoding: bytes + [0x22], as: UTF8.self)
  }
}

extension AuthenticationChallenge {
  /// `scheme` is `Bearer` or `DPoP`: a token is wanted.
  var wantsToken: Bool { ["bearer", "dpop"].contains(scheme.lowercased()) }

  /// What one challenge says that wants a token. A server may offer two schemes with the same words.
  static func token(in headers: HTTPHeaders) -> Self? {
    let challenges = all(in: headers).filter(\.wantsToken)
    return challenges.first { $0["resource_metadata"] != nil } ?? challenges.first
  }
}
