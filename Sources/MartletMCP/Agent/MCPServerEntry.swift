public import MartletHTTP

/// A server as a configuration names it. Printing it shows no argument, variable or header, which may be secret.
public struct MCPServerEntry: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
  /// How a server is reached.
  public enum Place: Sendable, Hashable {
    /// A program to start. Relative paths start in its directory, which is the working directory where it is nil.
    case program(command: String, arguments: [String], environment: [String: String], directory: String?)
    /// An address, with headers for each request.
    case remote(url: String, headers: [String: String])
  }

  /// The name that the user gave it.
  public var name: String
  /// How it is reached.
  public var place: Place
  /// Whether it is not used. False by default.
  public var isDisabled: Bool
  /// Whether what it says about the manners of its tools is believed. False by default.
  public var isTrusted: Bool
  /// The id of a client that was registered by hand with its authorization server.
  public var clientID: String?
  /// The scopes to ask for; nil for those that the server names.
  public var scopes: [String]?

  /// A server.
  public init(
    name: String, place: Place, isDisabled: Bool = false, isTrusted: Bool = false, clientID: String? = nil,
    scopes: [String]? = nil
  ) {
    self.name = name
    self.place = place
    self.isDisabled = isDisabled
    self.isTrusted = isTrusted
    self.clientID = clientID
    self.scopes = scopes
  }

  /// The program's name or the address, without what may be secret.
  public var placeText: String {
    switch place {
    case .program(let command, _, _, _): command
    case .remote(let url, _): String(url.prefix { $0 != "?" && $0 != "#" })
    }
  }

  public var description: String { "\(name) (\(placeText))" }
  public var customMirror: Mirror { Mirror(self, children: ["name": name, "place": placeText]) }

  /// What begins the name of each of its tools.
  public var toolPrefix: String { MCPToolName.prefix(server: name) }

  /// The way to it.
  /// - Parameters:
  ///   - directory: where a program works that has no directory of its own.
  ///   - http: sends requests to an address.
  ///   - authorizer: brings credentials, where no `Authorization` header is configured.
  /// - Throws: ``MCPError`` where programs cannot be started at all.
  public func transport(
    directory: String?, over http: @autoclosure () -> any HTTPTransport = SystemTransport(),
    authorizer: (any RequestAuthorizer)? = nil
  ) throws -> any MCPTransport {
    switch place {
    case .program(let command, let arguments, let environment, let own):
      #if os(Linux) || os(macOS)
        return StdioTransport(command, arguments, environment: environment, workingDirectory: own ?? directory)
      #else
        throw MCPError(.cannotStart, "programs cannot be started on this platform")
      #endif
    case .remote(let url, let headers):
      var options = HTTPClientTransport.Options()
      for (name, value) in headers.sorted(by: { $0.key < $1.key }) { options.headers[name] = value }
      if options.headers["authorization"] == nil { options.authorizer = authorizer }
      return HTTPClientTransport(url, over: http(), options: options)
    }
  }
}
