/// Why a model file could not be found, fetched or used.
public struct ModelStoreError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure; more may be added.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Value: String {
      case unknownModel = "unknown_model"
      case notPulled = "not_pulled"
      case sourceFailed = "source_failed"
      case wrongHash = "wrong_hash"
      case noSpace = "no_space"
      case notWritable = "not_writable"
      case busy
    }

    private let value: Value

    /// No known model has the name, and no file is at the path.
    public static let unknownModel = Self(value: .unknownModel)
    /// The model is known but its file is not here.
    public static let notPulled = Self(value: .notPulled)
    /// A source, or every source, could not give the file.
    public static let sourceFailed = Self(value: .sourceFailed)
    /// The file is not the one the manifest describes.
    public static let wrongHash = Self(value: .wrongHash)
    /// The disk has not enough free space.
    public static let noSpace = Self(value: .noSpace)
    /// The directory or a file in it cannot be created, read or written.
    public static let notWritable = Self(value: .notWritable)
    /// Another process is fetching the same model.
    public static let busy = Self(value: .busy)

    public var description: String { value.rawValue }
  }

  /// What kind of failure.
  public let code: Code
  /// One sentence: the reason and what to do.
  public let message: String
  /// What lies beneath.
  public let underlying: (any Error)?

  init(_ code: Code, _ message: String, underlying: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.underlying = underlying
  }

  public var description: String { message }
}
