/// A text in quotes as YAML has it: `'it''s'` or `"a\tb"`. Line breaks within it are spaces, empty lines are breaks.
enum QuotedText {
  /// The text at the beginning, and where it ends; nil when there is none or it is not closed.
  static func read(_ text: Substring) -> (value: String, end: Substring.Index)? {
    guard let quote = text.unicodeScalars.first, quote == "\"" || quote == "'" else { return nil }
    let scalars = text.unicodeScalars
    var value = String.UnicodeScalarView()
    var index = scalars.index(after: scalars.startIndex)
    while index < scalars.endIndex {
      let scalar = scalars[index]
      scalars.formIndex(after: &index)
      switch scalar {
      case quote:
        if quote == "'", index < scalars.endIndex, scalars[index] == "'" {
          value.append("'")
          scalars.formIndex(after: &index)
        } else {
          return (String(value), index)
        }
      case "\\" where quote == "\"":
        guard index < scalars.endIndex else { return nil }
        escape(scalars, &index, into: &value)
      case "\n":
        while let last = value.last, last == " " || last == "\t" { value.removeLast() }
        var breaks = 1
        while index < scalars.endIndex, scalars[index] == "\n" {
          breaks += 1
          scalars.formIndex(after: &index)
        }
        value.append(
          contentsOf: breaks == 1 ? " ".unicodeScalars : String(repeating: "\n", count: breaks - 1).unicodeScalars)
      default: value.append(scalar)
      }
    }
    return nil
  }

  /// What a backslash stands for. One that stands for nothing stays as it is.
  private static func escape(
    _ scalars: Substring.UnicodeScalarView, _ index: inout Substring.Index, into value: inout String.UnicodeScalarView
  ) {
    let kind = scalars[index]
    scalars.formIndex(after: &index)
    let simple: [Unicode.Scalar: Unicode.Scalar] = [
      "n": "\n", "t": "\t", "r": "\r", "0": "\0", "a": "\u{07}", "b": "\u{08}", "v": "\u{0B}", "f": "\u{0C}",
      "e": "\u{1B}", "\"": "\"", "/": "/", "\\": "\\", " ": " ", "_": "\u{A0}", "N": "\u{85}", "L": "\u{2028}",
      "P": "\u{2029}",
    ]
    if let scalar = simple[kind] {
      value.append(scalar)
      return
    }
    // A break of lines that is no space.
    if kind == "\n" { return }
    let lengths: [Unicode.Scalar: Int] = ["x": 2, "u": 4, "U": 8]
    if let length = lengths[kind] {
      var digits = String.UnicodeScalarView()
      var end = index
      while digits.count < length, end < scalars.endIndex, scalars[end].properties.isASCIIHexDigit {
        digits.append(scalars[end])
        scalars.formIndex(after: &end)
      }
      if digits.count == length, let code = UInt32(String(digits), radix: 16), let scalar = Unicode.Scalar(code) {
        value.append(scalar)
        index = end
        return
      }
    }
    value.append("\\")
    value.append(kind)
  }
}
