/// A Unicode property written `\p{…}` or `\P{…}`, decided by the standard library's Unicode tables.
package struct ScalarProperty: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// General categories, one bit each in the order of `categoryNames`.
    case categories(UInt32)
    case any, ascii, assigned
    case alphabetic, lowercase, uppercase, whitespace
    case idStart, idContinue, xidStart, xidContinue
    case emoji, emojiPresentation
    case asciiHexDigit, hexDigit, ideographic, math, dash
  }

  package let kind: Kind
  package let isNegated: Bool

  package func contains(_ value: UInt32) -> Bool {
    guard let scalar = Unicode.Scalar(value) else { return isNegated }
    return holds(scalar) != isNegated
  }

  private func holds(_ scalar: Unicode.Scalar) -> Bool {
    let properties = scalar.properties
    return switch kind {
    case .categories(let mask): mask >> UInt32(Self.index(of: properties.generalCategory)) & 1 == 1
    case .any: true
    case .ascii: scalar.isASCII
    case .assigned: properties.generalCategory != .unassigned
    case .alphabetic: properties.isAlphabetic
    case .lowercase: properties.isLowercase
    case .uppercase: properties.isUppercase
    case .whitespace: properties.isWhitespace
    case .idStart: properties.isIDStart
    case .idContinue: properties.isIDContinue
    case .xidStart: properties.isXIDStart
    case .xidContinue: properties.isXIDContinue
    case .emoji: properties.isEmoji
    case .emojiPresentation: properties.isEmojiPresentation
    case .asciiHexDigit: properties.isASCIIHexDigit
    case .hexDigit: properties.isHexDigit
    case .ideographic: properties.isIdeographic
    case .math: properties.isMath
    case .dash: properties.isDash
    }
  }
}

extension ScalarProperty {
  /// Reads what stands between the braces; nil for a property the tables at hand do not cover (scripts, for one).
  init?(name: String, isNegated: Bool) {
    let value: Substring
    if let equals = name.firstIndex(of: "=") {
      guard ["General_Category", "gc"].contains(name[..<equals]) else { return nil }
      value = name[name.index(after: equals)...]
    } else if let kind = Self.binary[name] {
      self.init(kind: kind, isNegated: isNegated)
      return
    } else {
      value = name[...]
    }
    guard let mask = Self.mask(of: String(value)) else { return nil }
    self.init(kind: .categories(mask), isNegated: isNegated)
  }

  private static let binary: [String: Kind] = [
    "Any": .any, "ASCII": .ascii, "Assigned": .assigned, "Alphabetic": .alphabetic, "Alpha": .alphabetic,
    "Lowercase": .lowercase, "Lower": .lowercase, "Uppercase": .uppercase, "Upper": .uppercase,
    "White_Space": .whitespace, "space": .whitespace, "ID_Start": .idStart, "IDS": .idStart, "ID_Continue": .idContinue,
    "IDC": .idContinue, "XID_Start": .xidStart, "XIDS": .xidStart, "XID_Continue": .xidContinue, "XIDC": .xidContinue,
    "Emoji": .emoji, "Emoji_Presentation": .emojiPresentation, "EPres": .emojiPresentation,
    "ASCII_Hex_Digit": .asciiHexDigit, "AHex": .asciiHexDigit, "Hex_Digit": .hexDigit, "Hex": .hexDigit,
    "Ideographic": .ideographic, "Ideo": .ideographic, "Math": .math, "Dash": .dash,
  ]

  /// Short and long names of the general categories (PropertyValueAliases of the Unicode Character Database).
  private static let categoryNames: [(short: String, long: String)] = [
    ("Lu", "Uppercase_Letter"), ("Ll", "Lowercase_Letter"), ("Lt", "Titlecase_Letter"), ("Lm", "Modifier_Letter"),
    ("Lo", "Other_Letter"), ("Mn", "Nonspacing_Mark"), ("Mc", "Spacing_Mark"), ("Me", "Enclosing_Mark"),
    ("Nd", "Decimal_Number"), ("Nl", "Letter_Number"), ("No", "Other_Number"), ("Pc", "Connector_Punctuation"),
    ("Pd", "Dash_Punctuation"), ("Ps", "Open_Punctuation"), ("Pe", "Close_Punctuation"), ("Pi", "Initial_Punctuation"),
    ("Pf", "Final_Punctuation"), ("Po", "Other_Punctuation"), ("Sm", "Math_Symbol"), ("Sc", "Currency_Symbol"),
    ("Sk", "Modifier_Symbol"), ("So", "Other_Symbol"), ("Zs", "Space_Separator"), ("Zl", "Line_Separator"),
    ("Zp", "Paragraph_Separator"), ("Cc", "Control"), ("Cf", "Format"), ("Cs", "Surrogate"), ("Co", "Private_Use"),
    ("Cn", "Unassigned"),
  ]

  /// Names of whole groups, each with the first letter its categories share.
  private static let groupNames: [String: Character] = [
    "Letter": "L", "Mark": "M", "Combining_Mark": "M", "Number": "N", "Punctuation": "P", "punct": "P", "Symbol": "S",
    "Separator": "Z", "Other": "C", "L": "L", "M": "M", "N": "N", "P": "P", "S": "S", "Z": "Z", "C": "C",
  ]

  private static func mask(of name: String) -> UInt32? {
    let matches: (Int) -> Bool
    if let letter = groupNames[name] {
      matches = { categoryNames[$0].short.first == letter }
    } else if ["LC", "Cased_Letter"].contains(name) {
      matches = { $0 < 3 }
    } else {
      let short = ["digit": "Nd", "cntrl": "Cc"][name] ?? name
      matches = { categoryNames[$0].short == short || categoryNames[$0].long == short }
    }
    let mask = categoryNames.indices.reduce(UInt32(0)) { matches($1) ? $0 | 1 << UInt32($1) : $0 }
    return mask == 0 ? nil : mask
  }

  /// The place of a category in `categoryNames`.
  private static func index(of category: Unicode.GeneralCategory) -> Int {
    switch category {
    case .uppercaseLetter: 0
    case .lowercaseLetter: 1
    case .titlecaseLetter: 2
    case .modifierLetter: 3
    case .otherLetter: 4
    case .nonspacingMark: 5
    case .spacingMark: 6
    case .enclosingMark: 7
    case .decimalNumber: 8
    case .letterNumber: 9
    case .otherNumber: 10
    case .connectorPunctuation: 11
    case .dashPunctuation: 12
    case .openPunctuation: 13
    case .closePunctuation: 14
    case .initialPunctuation: 15
    case .finalPunctuation: 16
    case .otherPunctuation: 17
    case .mathSymbol: 18
    case .currencySymbol: 19
    case .modifierSymbol: 20
    case .otherSymbol: 21
    case .spaceSeparator: 22
    case .lineSeparator: 23
    case .paragraphSeparator: 24
    case .control: 25
    case .format: 26
    case .surrogate: 27
    case .privateUse: 28
    case .unassigned: 29
    @unknown default: 29
    }
  }
}
