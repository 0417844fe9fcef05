#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A number that can be a bound in a schema.
public protocol ParameterNumber: Comparable, Sendable {
  /// The number in JSON; nil for an infinite bound, which is none.
  var jsonNumber: JSONNumber? { get }
}

/// A type of argument that `in:` can bound: numbers and optional numbers.
public protocol BoundedParameter {
  /// The number itself.
  associatedtype ParameterBound: ParameterNumber
}

/// A type of argument that `length:` and `pattern:` can bound: `String` and `String?`.
public protocol TextParameter {}

/// A type of argument that can have a `format:`: `String`, `Date` and optionals of them.
public protocol FormattedParameter {}

/// A type of argument that `count:` can bound: arrays, sets and optionals of them.
public protocol ListParameter {}

/// The format of a text (JSON Schema 2020-12 Validation, section 7.3, or any other).
public struct ParameterFormat: RawRepresentable, Hashable, Sendable {
  public var rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  /// A date and time with offset: `2026-11-30T09:30:00Z`.
  public static let dateTime = Self(rawValue: "date-time")
  /// A date: `2026-11-30`.
  public static let date = Self(rawValue: "date")
  /// A time with offset: `09:30:00Z`.
  public static let time = Self(rawValue: "time")
  /// An ISO 8601 duration: `PT1H30M`.
  public static let duration = Self(rawValue: "duration")
  /// An email address.
  public static let email = Self(rawValue: "email")
  /// A host name.
  public static let hostname = Self(rawValue: "hostname")
  /// An absolute URI.
  public static let uri = Self(rawValue: "uri")
  /// A UUID.
  public static let uuid = Self(rawValue: "uuid")
}

extension ParameterNumber where Self: BinaryInteger {
  public var jsonNumber: JSONNumber? { JSONNumber(self) }
}

extension Int: ParameterNumber, BoundedParameter {
  public typealias ParameterBound = Int
}

extension Int32: ParameterNumber, BoundedParameter {
  public typealias ParameterBound = Int32
}

extension Int64: ParameterNumber, BoundedParameter {
  public typealias ParameterBound = Int64
}

extension UInt: ParameterNumber, BoundedParameter {
  public typealias ParameterBound = UInt
}

extension Double: ParameterNumber, BoundedParameter {
  public typealias ParameterBound = Double
  public var jsonNumber: JSONNumber? { JSONNumber(self) }
}

extension Float: ParameterNumber, BoundedParameter {
  public typealias ParameterBound = Float
  public var jsonNumber: JSONNumber? { JSONNumber(self) }
}

extension String: TextParameter, FormattedParameter {}
extension Date: FormattedParameter {}
extension Array: ListParameter {}
extension Set: ListParameter {}

extension Optional: BoundedParameter where Wrapped: BoundedParameter {
  public typealias ParameterBound = Wrapped.ParameterBound
}
extension Optional: TextParameter where Wrapped: TextParameter {}
extension Optional: FormattedParameter where Wrapped: FormattedParameter {}
extension Optional: ListParameter where Wrapped: ListParameter {}
