/// Where in a value the validator is.
struct ValuePath: Hashable, Sendable {
  enum Step: Hashable, Sendable {
    case member(String)
    case item(Int)
    /// The key of a member, not its value.
    case key(String)
  }

  private(set) var steps: [Step] = []

  mutating func push(_ step: Step) { steps.append(step) }

  mutating func pop() { steps.removeLast() }

  /// As a JSON Pointer; a key is addressed by its member.
  var pointer: String {
    steps.reduce(into: "") { text, step in
      switch step {
      case .member(let name), .key(let name): text += "/" + JSONPointer.escaped(name)
      case .item(let index): text += "/\(index)"
      }
    }
  }

  /// As a sentence's subject: `` `home.lat` ``, `` `days[2]` ``, "the value" for the root.
  var subject: String { Self.subject(of: steps[...]) }

  /// The subject for a member below this place.
  func subject(of member: String) -> String { Self.subject(of: (steps + [.member(member)])[...]) }

  private static func subject(of steps: ArraySlice<Step>) -> String {
    guard let last = steps.last else { return "the value" }
    if case .key(let name) = last { return "the key \(ViolationText.quote(.string(name)))" }
    var text = ""
    for step in steps {
      switch step {
      case .member(let name), .key(let name):
        if isPlain(name) {
          text += (text.isEmpty ? "" : ".") + ViolationText.shortened(name)
        } else {
          text += "[\(ViolationText.quote(.string(name)))]"
        }
      case .item(let index): text += "[\(index)]"
      }
    }
    return "`\(text)`"
  }

  private static func isPlain(_ name: String) -> Bool {
    !name.isEmpty && name.unicodeScalars.allSatisfy { "_-$".unicodeScalars.contains($0) || $0.properties.isXIDContinue }
  }
}
