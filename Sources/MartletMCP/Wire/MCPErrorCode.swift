/// The number of an error on the wire.
public struct MCPErrorCode: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }
  public var description: String { rawValue.description }

  /// What came is no JSON.
  public static let parseError = Self(rawValue: -32700)
  /// What came is no request.
  public static let invalidRequest = Self(rawValue: -32600)
  /// There is no such method, or not in this revision.
  public static let methodNotFound = Self(rawValue: -32601)
  /// The parameters do not fit.
  public static let invalidParams = Self(rawValue: -32602)
  /// The peer failed.
  public static let internalError = Self(rawValue: -32603)
  /// There is no such resource: up to 2025-11-25; later ones say ``invalidParams``.
  public static let legacyResourceNotFound = Self(rawValue: -32002)
  /// The user must go to an address first: 2025-11-25.
  public static let urlElicitationRequired = Self(rawValue: -32042)
  /// A header does not say what the body says: since 2026-07-28.
  public static let headerMismatch = Self(rawValue: -32020)
  /// The client did not declare what the request needs: since 2026-07-28.
  public static let missingClientCapability = Self(rawValue: -32021)
  /// The server does not speak the revision: since 2026-07-28.
  public static let unsupportedRevision = Self(rawValue: -32022)

  /// Whether only a server of the modern era answers so.
  var isModern: Bool { (-32022 ... -32020).contains(rawValue) }
}
