/// Maps tool names to what a provider allows, and back.
///
/// Names that fit are sent as they are. Others (a server's `files/read`, one of 100 characters, what a model made up) are
/// made to fit: what is not allowed becomes `_`, and a hash of the whole name at the end keeps different ones apart. The
/// map depends on the name alone, so it is the same in every request.
struct WireNames: Sendable {
  /// What names are made of.
  struct Form: Sendable {
    var isAllowed: @Sendable (UInt8) -> Bool
    /// Whether the first character must be a letter or `_`.
    var beginsWithLetter = false

    /// `^[a-zA-Z0-9_-]{1,64}$`: Anthropic, OpenAI.
    static let plain = Self(isAllowed: isPlain)
    /// As above with `.` and `:`, beginning with a letter or `_`: Gemini.
    static let dotted = Self(
      isAllowed: { isPlain($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ":") }, beginsWithLetter: true)
  }

  private static let maxLength = 64
  private let form: Form
  /// Tools' own names, by what is sent for them where that differs.
  private var names: [String: String] = [:]

  init(_ form: Form = .plain, tools: some Sequence<String> = []) {
    self.form = form
    for name in tools {
      let wire = wire(name)
      if wire != name { names[wire] = name }
    }
  }

  /// The name to send for one of ours.
  func wire(_ name: String) -> String {
    if fits(name) { return name }
    if name.isEmpty { return "unnamed" }
    let hash = name.stableHash
    var head = name.utf8.prefix(Self.maxLength - 12).map { form.isAllowed($0) ? $0 : UInt8(ascii: "_") }
    if form.beginsWithLetter, let first = head.first, !Self.isLetter(first), first != UInt8(ascii: "_") {
      head.insert(UInt8(ascii: "_"), at: 0)
    }
    return String(decoding: head + [UInt8(ascii: "_")], as: UTF8.self) + String(hash % 3_656_158_440_062_976, radix: 36)
  }

  /// Our name for one that the model wrote.
  func name(forWire wire: String) -> String { names[wire] ?? wire }

  private func fits(_ name: String) -> Bool {
    guard (1...Self.maxLength).contains(name.utf8.count), name.utf8.allSatisfy(form.isAllowed) else { return false }
    guard form.beginsWithLetter, let first = name.utf8.first else { return true }
    return Self.isLetter(first) || first == UInt8(ascii: "_")
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }

  @Sendable private static func isPlain(_ byte: UInt8) -> Bool {
    isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "_")
      || byte == UInt8(ascii: "-")
  }
}

extension String {
  /// FNV-1a with 64 bits: the same in every process.
  var stableHash: UInt64 {
    utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}
