/// Takes what could steer a terminal out of text that a model or a tool wrote: escape sequences, other control
/// characters, and the marks that reorder text. A stream may come in pieces cut anywhere.
///
/// Sequences are those of ECMA-48 and of xterm: ESC and a final character, CSI with its parameters, and the strings OSC,
/// DCS, SOS, PM and APC up to their terminator.
struct ControlFilter: Sendable {
  private enum State { case text, escape, control, string, stringEscape }
  private var state = State.text

  mutating func filter(_ text: some StringProtocol) -> String {
    if state == .text, text.utf8.allSatisfy({ ($0 >= 0x20 && $0 < 0x7F) || $0 == 0x0A || $0 == 0x09 }) {
      return String(text)
    }
    var kept = String.UnicodeScalarView()
    for scalar in text.unicodeScalars where keeps(scalar.value) { kept.append(scalar) }
    return String(kept)
  }

  private mutating func keeps(_ value: UInt32) -> Bool {
    switch state {
    case .text:
      switch value {
      case 0x1B: state = .escape
      case 0x9B: state = .control
      case 0x90, 0x98, 0x9D, 0x9E, 0x9F: state = .string
      case 0x09, 0x0A: return true
      case 0..<0x20, 0x7F..<0xA0: break
      // Embeddings, overrides and isolates of text direction.
      case 0x202A...0x202E, 0x2066...0x2069: break
      default: return true
      }
    case .escape:
      switch value {
      case 0x5B: state = .control
      case 0x50, 0x58, 0x5D, 0x5E, 0x5F: state = .string
      case 0x20...0x2F, 0x1B: break  // intermediates, and an escape that starts over
      case 0x0A:
        state = .text
        return true
      default: state = .text
      }
    case .control:
      switch value {
      case 0x20...0x3F: break
      case 0x1B: state = .escape
      case 0x0A:
        state = .text
        return true
      default: state = .text
      }
    case .string:
      switch value {
      case 0x07, 0x9C: state = .text
      case 0x1B: state = .stringEscape
      // A terminal would wait for the end; text must not vanish for want of one.
      case 0x0A:
        state = .text
        return true
      default: break
      }
    case .stringEscape:
      if value == 0x5C {
        state = .text
      } else {
        state = .escape
        return keeps(value)
      }
    }
    return false
  }

  /// A whole text made fit for one line: line breaks and tabs become spaces.
  static func line(_ text: some StringProtocol) -> String {
    var filter = ControlFilter()
    return String(String.UnicodeScalarView(filter.filter(text).unicodeScalars.map { $0.value < 0x20 ? " " : $0 }))
  }
}
