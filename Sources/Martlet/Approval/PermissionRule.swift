import MartletJSON

/// Which calls a rule is about.
///
/// The textual form, read by this type alone:
///
/// - `shell`, `read_*`, `*`: calls of tools with such a name; `*` stands for any letters
/// - `shell(git status*)`: the command line, where the tool takes one (`command`), otherwise the texts among the arguments
/// - `pay.amount(100)`, `edit.options.mode(dry)`: one argument, also below others
/// - `effect:readOnly`, `effect:idempotent`, `effect:once`: calls of tools with that effect
///
/// In a pattern `*` stands for anything, `\` makes the next character an ordinary one, and parentheses that are not
/// balanced need it. A command line is compared word for word: `git status*` covers `git status -s` and not
/// `git status; rm x`.
public struct PermissionRule: Sendable, Hashable, CustomStringConvertible {
  /// Bytes that a rule may have.
  public static let longest = 8_192

  /// The rule as it is written.
  public let text: String
  let subject: Subject

  enum Subject: Sendable, Hashable {
    /// Calls of a tool; `pattern` nil for all of them, `argument` nil for no certain one.
    case tool(name: RulePattern, argument: [String]?, pattern: RulePattern?)
    case effect(ToolEffect)
  }

  /// Reads a rule. Spaces around it do not count.
  /// - Throws: `PermissionRuleError` for anything that is not wholly understood.
  public init(_ text: String) throws(PermissionRuleError) {
    let text = text.trimmingBlanks()
    self.text = text
    subject = try Self.subject(text)
  }

  /// All calls of the tool of a name.
  init(tool name: String) {
    text = name
    subject = .tool(name: RulePattern(literal: name), argument: nil, pattern: nil)
  }

  public var description: String { text }

  /// Reads rules with commas between them; commas inside parentheses belong to their rule.
  /// - Throws: `PermissionRuleError` when one of them is none.
  public static func list(_ text: String) throws(PermissionRuleError) -> [Self] {
    var parts: [[UInt8]] = [[]]
    var depth = 0
    var isEscaped = false
    for byte in text.utf8 {
      if byte == UInt8(ascii: ","), depth == 0, !isEscaped {
        parts.append([])
        continue
      }
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "(") {
        depth += 1
      } else if byte == UInt8(ascii: ")") {
        depth -= 1
      }
      parts[parts.count - 1].append(byte)
    }
    var rules: [Self] = []
    for part in parts { rules.append(try Self(String(decoding: part, as: UTF8.self))) }
    return rules
  }

  /// The rule that covers a call and what is most like it: all calls of the tool or, where the tool takes a command line,
  /// this very command line. Nil where there is no such rule.
  public static func covering(_ call: ToolCall, _ tool: ToolDefinition) -> Self? {
    guard case .object(let arguments) = call.arguments else { return nil }
    // Of a call that a catalogue has filled in, the line is not among the parameters shown.
    let declared = CommandArgument.declared(by: tool)
    let lines = declared.isEmpty ? arguments.map(\.key).filter(CommandArgument.names.contains) : declared
    guard !lines.isEmpty else { return try? Self(call.name) }
    // A rule says nothing of arguments beside the line, so it must not cover other ones.
    guard lines.count == 1, !arguments.contains(where: { CommandArgument.says(what: $0.key, $0.value) }),
      let line = arguments[lines[0]]?.stringValue, !line.isEmpty
    else { return nil }
    // Unreadable only where the line is too long or its blanks would be lost: then there is no rule to offer.
    guard let rule = try? Self("\(call.name)(\(RulePattern.escaped(line)))"), rule.surelyCovers(call, tool) else {
      return nil
    }
    return rule
  }

  /// Whether it is about all calls of tools with a name.
  var isAboutWholeTool: Bool { if case .tool(_, nil, nil) = subject { true } else { false } }

  private static func subject(_ text: String) throws(PermissionRuleError) -> Subject {
    guard !text.isEmpty else {
      throw PermissionRuleError("a rule is empty: name a tool, as in shell, read_* or shell(git status*)")
    }
    guard text.utf8.count <= longest else {
      throw PermissionRuleError("a rule has \(text.utf8.count) bytes, and \(longest) are the most it may have")
    }
    let shown = "\"\(text.prefix(60))\(text.count > 60 ? "…" : "")\""
    if text.hasPrefix("effect:") {
      switch text.dropFirst("effect:".count) {
      case "readOnly", "read_only": return .effect(.readOnly)
      case "idempotent": return .effect(.idempotent)
      case "once": return .effect(.once)
      default:
        throw PermissionRuleError("\(shown) names no effect: there are effect:readOnly, effect:idempotent, effect:once")
      }
    }
    let bytes = Array(text.utf8)
    let opening = bytes.firstIndex(of: UInt8(ascii: "("))
    let head = bytes[..<(opening ?? bytes.count)]
    let dot = head.firstIndex(of: UInt8(ascii: "."))
    let name = head[..<(dot ?? head.endIndex)]
    guard (1...64).contains(name.count), name.allSatisfy(isOfName) else {
      let advice =
        name.contains(UInt8(ascii: " "))
        ? "write shell(…) around a command" : "a tool's name has letters, digits, _ and -, and * stands for any"
      throw PermissionRuleError("\(shown) is no rule: \(advice)")
    }
    let namePattern = try RulePattern(name, of: shown)
    guard let opening else {
      if dot != nil { throw PermissionRuleError("\(shown) says nothing of the argument: add a pattern, as in a.b(c*)") }
      return .tool(name: namePattern, argument: nil, pattern: nil)
    }
    var argument: [String]?
    if let dot {
      let path = head[(dot + 1)...].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      guard path.allSatisfy({ !$0.isEmpty }) else { throw PermissionRuleError("\(shown) names no argument") }
      argument = path.map { String(decoding: $0, as: UTF8.self) }
    }
    return .tool(
      name: namePattern, argument: argument, pattern: try RulePattern(inside(bytes, opening, shown), of: shown))
  }

  /// What stands between the parentheses, which must end the rule.
  private static func inside(
    _ bytes: [UInt8], _ opening: Int, _ shown: String
  ) throws(PermissionRuleError) -> ArraySlice<UInt8> {
    var depth = 0
    var index = opening
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\\"): index += 1
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"):
        depth -= 1
        guard depth == 0 else { break }
        guard index == bytes.count - 1 else {
          throw PermissionRuleError("\(shown) goes on after its parentheses: separate rules with commas")
        }
        let inside = bytes[(opening + 1)..<index]
        guard inside.contains(where: { $0 != UInt8(ascii: " ") }) else {
          throw PermissionRuleError("\(shown) has nothing in its parentheses: leave them out to mean every call")
        }
        return inside
      default: break
      }
      index += 1
    }
    throw PermissionRuleError("\(shown) has no closing parenthesis: write \\( for one that is part of the pattern")
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "*"):
      true
    default: false
    }
  }
}

extension String {
  fileprivate func trimmingBlanks() -> String {
    let bytes = utf8
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
    guard let start = bytes.firstIndex(where: { !isBlank($0) }) else { return "" }
    let end = bytes.lastIndex { !isBlank($0) } ?? start
    return String(self[start...end])
  }
}
