/// Something wrong with a skill's file, and where.
public struct SkillProblem: Error, Sendable, Hashable, CustomStringConvertible {
  /// How bad it is.
  public enum Severity: Int, Sendable, Hashable, Comparable {
    /// It works, and could be better.
    case advice
    /// It breaks a rule of the format; the skill is used all the same.
    case rule
    /// The skill is not used.
    case broken

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  /// How bad it is.
  public var severity: Severity
  /// The file.
  public var path: String
  /// The line, from 1.
  public var line: Int
  /// What is wrong and what to do, in a sentence without its end.
  public var message: String

  /// A problem.
  public init(_ severity: Severity, path: String, line: Int = 1, _ message: String) {
    self.severity = severity
    self.path = path
    self.line = line
    self.message = message
  }

  /// `path:line: message`.
  public var description: String { "\(path):\(line): \(message)" }
}
