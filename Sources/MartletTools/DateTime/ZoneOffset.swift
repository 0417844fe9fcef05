/// How far the clocks of a place are from UTC at some moment.
struct ZoneOffset: Hashable, Sendable {
  /// East of UTC is positive.
  var seconds: Int
  var isDaylightSaving: Bool
  /// "JST"; "+04" in zones that have no letters.
  var abbreviation: String

  /// "+09:00"; seconds, which only history knows, are shown when there are any.
  var text: String { Self.text(seconds) }

  static func text(_ seconds: Int) -> String {
    let magnitude = abs(seconds)
    let rest = magnitude % 60 == 0 ? "" : ":\((magnitude % 60).padded(to: 2))"
    let sign = seconds < 0 ? "-" : "+"
    return "\(sign)\((magnitude / 3_600).padded(to: 2)):\((magnitude / 60 % 60).padded(to: 2))\(rest)"
  }
}
