/// Why a key cannot be used.
public struct CryptoError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure. More may be added.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Value: String { case invalidKey, signing }
    private let value: Value

    /// The bytes or the text are not a key of the kind that is expected.
    public static let invalidKey = Self(value: .invalidKey)
    /// The library cannot sign, or cannot make a key.
    public static let signing = Self(value: .signing)

    public var description: String { value.rawValue }
  }

  /// What kind of failure.
  public let code: Code
  /// One sentence; never a part of a key.
  public let message: String
  /// What lies beneath.
  public let underlying: (any Error)?

  init(_ code: Code, _ message: String, underlying: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.underlying = underlying
  }

  public var description: String { "\(code): \(message)" }
}
