/// Why a server did not start.
public struct HTTPServerError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure. More may be added.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Value: String { case portTaken, cannotListen, unavailable }
    private let value: Value

    /// Another process listens there.
    public static let portTaken = Self(value: .portTaken)
    /// No such address here, or no permission for that port.
    public static let cannotListen = Self(value: .cannotListen)
    /// The server cannot work here at all: no libmicrohttpd, no memory, no thread.
    public static let unavailable = Self(value: .unavailable)

    public var description: String { value.rawValue }
  }

  /// What kind of failure.
  public let code: Code
  /// One sentence: the reason and what to do.
  public let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  public var description: String { "\(code): \(message)" }
}
