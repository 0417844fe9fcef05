/// An option as parser, help and completion see it.
struct OptionSpec: Sendable {
  /// Without dashes.
  let name: String
  let short: Character?
  /// What stands for the value in help; nil for an option without one.
  let placeholder: String?
  let help: String
  let group: OptionGroup
  /// Whether giving it again adds to it; otherwise the last one counts.
  let repeats: Bool
  /// Whether it works already; one that does not is refused, never ignored.
  let isAvailable: Bool
  let expected: String
  let completion: ValueCompletion
  /// "takes a whole number, not …"
  let complain: @Sendable (String) -> String
  let accepts: @Sendable (String) -> Bool

  var takesValue: Bool { placeholder != nil }

  func complaint(about text: String) -> String {
    "--\(name) \(complain(text))"
  }
}

/// The headings options stand under in help.
enum OptionGroup: String, Sendable, CaseIterable {
  case model = "Model"
  case prompt = "Prompt"
  case tools = "Tools and permissions"
  case limits = "Limits"
  case session = "Session"
  case general = "Options"
}

extension String {
  /// In quotes, on one line and not too long, fit for an error message.
  var quotedShort: String {
    let plain = ControlFilter.line(self)
    return "\"" + (plain.count > 60 ? plain.prefix(57) + "…" : plain[...]) + "\""
  }

  /// As one word of a shell's command line, to show: in quotes where it needs them.
  var shellWord: String {
    let plain = ControlFilter.line(self)
    let isPlain = plain.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "_-./:,@%+=".utf8.contains(byte)
      }
    }
    return isPlain && !plain.isEmpty ? plain : plain.shellQuoted
  }
}
