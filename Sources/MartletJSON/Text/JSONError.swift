/// Why a text is not JSON, and where.
public struct JSONError: Error, Hashable, Sendable {
  /// What kind of fault it is. More kinds may come.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Value: String {
      case unexpectedEnd, unexpectedByte, trailingBytes, invalidNumber, invalidEscape, controlCharacter
      case invalidUTF8, loneSurrogate, duplicateKey, byteOrderMark, tooDeep
    }
    private let value: Value

    /// The text ends inside a value, or is empty.
    public static let unexpectedEnd = Self(value: .unexpectedEnd)
    /// A byte that no rule of the grammar allows here; also misspelt literals, `NaN` and `Infinity`.
    public static let unexpectedByte = Self(value: .unexpectedByte)
    /// Something other than white space follows the value.
    public static let trailingBytes = Self(value: .trailingBytes)
    /// A number with a leading zero, a bare point, or no digits where some must be.
    public static let invalidNumber = Self(value: .invalidNumber)
    /// A backslash that starts no escape, or `\u` without four hexadecimal digits.
    public static let invalidEscape = Self(value: .invalidEscape)
    /// A raw control character (below U+0020) in a string.
    public static let controlCharacter = Self(value: .controlCharacter)
    /// A string with bytes that are not UTF-8.
    public static let invalidUTF8 = Self(value: .invalidUTF8)
    /// An escaped surrogate without its partner, where the options refuse it.
    public static let loneSurrogate = Self(value: .loneSurrogate)
    /// A key that its object has already, where the options refuse it.
    public static let duplicateKey = Self(value: .duplicateKey)
    /// A byte order mark at the start, where the options refuse it.
    public static let byteOrderMark = Self(value: .byteOrderMark)
    /// More arrays and objects inside each other than the options allow.
    public static let tooDeep = Self(value: .tooDeep)

    public var description: String { value.rawValue }
  }

  /// A place in the text.
  public struct Position: Hashable, Sendable, CustomStringConvertible {
    /// Bytes before the place.
    public let offset: Int
    /// From 1; a line ends with LF, CR or CR LF.
    public let line: Int
    /// From 1, in Unicode scalars.
    public let column: Int

    /// A place in a text.
    public init(offset: Int, line: Int, column: Int) {
      self.offset = offset
      self.line = line
      self.column = column
    }

    public var description: String { "line \(line), column \(column)" }
  }

  /// What kind of fault it is.
  public let code: Code
  /// One sentence for a person or a model; it quotes nothing of the text but single punctuation and letters.
  public let message: String
  /// Where the fault is.
  public let position: Position

  init(code: Code, message: String, position: Position) {
    self.code = code
    self.message = message
    self.position = position
  }
}

extension JSONError: CustomStringConvertible {
  public var description: String { "\(message) (\(position))" }
}
