/// Text as HTML that shows it and does nothing else.
enum HTMLText {
  /// The text with everything escaped that could be markup, in content and in quoted attributes. Control characters, which
  /// HTML does not have, are shown as U+FFFD.
  static func escaped(_ text: some StringProtocol) -> String {
    var out: [UInt8] = []
    out.reserveCapacity(text.utf8.count + text.utf8.count / 16)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "&"): out += "&amp;".utf8
      case UInt8(ascii: "<"): out += "&lt;".utf8
      case UInt8(ascii: ">"): out += "&gt;".utf8
      case UInt8(ascii: "\""): out += "&quot;".utf8
      case UInt8(ascii: "'"): out += "&#39;".utf8
      case 0x09, 0x0A: out.append(byte)
      case 0x0D: break
      case 0..<0x20, 0x7F: out += "\u{FFFD}".utf8
      default: out.append(byte)
      }
    }
    return String(decoding: out, as: UTF8.self)
  }

  /// What a model or a person wrote: paragraphs as they are, with fenced code, headings, `code` and **bold** of Markdown
  /// shown as such. Links stay text: nobody is led anywhere by a session.
  static func prose(_ text: String) -> String {
    var html = ""
    var paragraph: [Substring] = []
    var code: (fence: Substring, lines: [Substring])?
    func flush() {
      while paragraph.last?.allSatisfy(\.isWhitespace) == true { paragraph.removeLast() }
      let lines = paragraph.drop { $0.allSatisfy(\.isWhitespace) }
      if !lines.isEmpty { html += "<p>" + lines.map(line).joined(separator: "\n") + "</p>" }
      paragraph = []
    }
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let trimmed = line.drop { $0 == " " }
      if let open = code {
        if trimmed.hasPrefix(open.fence), trimmed.allSatisfy({ $0 == "`" || $0.isWhitespace }) {
          html += "<pre>\(escaped(open.lines.joined(separator: "\n")))</pre>"
          code = nil
        } else {
          code?.lines.append(line)
        }
      } else if trimmed.hasPrefix("```") {
        flush()
        code = (trimmed.prefix { $0 == "`" }, [])
      } else if let heading = heading(trimmed) {
        flush()
        html += "<p class=\"heading\">\(self.line(heading))</p>"
      } else {
        paragraph.append(line)
      }
    }
    flush()
    if let code { html += "<pre>\(escaped(code.lines.joined(separator: "\n")))</pre>" }
    return html
  }

  private static func heading(_ line: Substring) -> Substring? {
    let marks = line.prefix { $0 == "#" }.count
    guard (1...6).contains(marks), line.dropFirst(marks).first == " " else { return nil }
    return line.dropFirst(marks + 1)
  }

  /// A line with its `code` and **bold**.
  private static func line(_ text: Substring) -> String {
    var html = ""
    for (index, part) in text.split(separator: "`", omittingEmptySubsequences: false).enumerated() {
      if index % 2 == 1 {
        let isClosed = text.utf8.count(where: { $0 == UInt8(ascii: "`") }) > index
        html += isClosed ? "<code>\(escaped(part))</code>" : "`" + bold(part)
      } else {
        html += bold(part)
      }
    }
    return html
  }

  private static func bold(_ text: Substring) -> String {
    let parts = escaped(text).split(separator: "**", omittingEmptySubsequences: false)
    guard parts.count >= 3 else { return parts.joined(separator: "**") }
    var html = ""
    for (index, part) in parts.enumerated() {
      let isLast = index == parts.count - 1
      if index % 2 == 1, !isLast {
        html += "<strong>\(part)</strong>"
      } else {
        html += (index % 2 == 1 ? "**" : "") + part
      }
    }
    return html
  }
}
