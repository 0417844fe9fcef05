/// How a `Date` looks in JSON.
public enum JSONDateStrategy: Hashable, Sendable {
  /// A string by RFC 3339. Written in UTC with milliseconds (`2026-11-30T09:14:05.123Z`); read with any offset and
  /// any number of fraction digits.
  case rfc3339
  /// A number: milliseconds since 1970-01-01T00:00:00Z, written as an integer, rounded to the nearest.
  case milliseconds
}
