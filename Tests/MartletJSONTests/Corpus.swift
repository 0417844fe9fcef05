import MartletJSON
import Testing

/// Texts that a reader of RFC 8259 must accept, refuse, or may treat as it likes.
enum Corpus {
  struct Accepted: Sendable, CustomTestStringConvertible {
    let name: String
    let text: [UInt8]
    let value: JSONValue

    init(_ name: String, _ text: String, _ value: JSONValue) {
      self.init(name, Array(text.utf8), value)
    }

    init(_ name: String, _ text: [UInt8], _ value: JSONValue) {
      self.name = name
      self.text = text
      self.value = value
    }

    var testDescription: String { name }
  }

  struct Refused: Sendable, CustomTestStringConvertible {
    let name: String
    let text: [UInt8]
    let code: JSONError.Code
    let offset: Int

    init(_ name: String, _ text: String, _ code: JSONError.Code, _ offset: Int) {
      self.init(name, Array(text.utf8), code, offset)
    }

    init(_ name: String, _ text: [UInt8], _ code: JSONError.Code, _ offset: Int) {
      self.name = name
      self.text = text
      self.code = code
      self.offset = offset
    }

    var testDescription: String { name }
  }

  static func number(_ text: String) -> JSONValue {
    JSONNumber(text: text).map(JSONValue.number) ?? "\(text) is no number"
  }

  static let accepted: [Accepted] =
    structures + numbers + strings + [
      Accepted("byte order mark", [0xef, 0xbb, 0xbf] + Array("1".utf8), 1),
      Accepted("512 arrays", String(repeating: "[", count: 512) + String(repeating: "]", count: 512), nested(512)),
    ]

  private static let structures = [
    Accepted("lonely null", "null", nil),
    Accepted("lonely true", "true", true),
    Accepted("lonely false", "false", false),
    Accepted("lonely string", #""a""#, "a"),
    Accepted("lonely negative number", "-0.1", -0.1),
    Accepted("white space of all kinds", " \t\r\n[ \t\r\n1 \t\r\n, \t\r\n2 \t\r\n] \t\r\n", [1, 2]),
    Accepted("white space in objects", " {\n\"a\"\t:\r1 , \"b\" : 2 } ", ["a": 1, "b": 2]),
    Accepted("empty array", "[]", []),
    Accepted("empty object", "{}", [:]),
    Accepted("array of arrays", "[[],[[]],[[],[]]]", [[], [[]], [[], []]]),
    Accepted("all kinds", #"[null,1,"1",{},[],true]"#, [nil, 1, "1", [:], [], true]),
    Accepted("nulls", "[1,null,null,2]", [1, nil, nil, 2]),
    Accepted("empty key", #"{"":0}"#, ["": 0]),
    Accepted("escaped key", #"{"\u0061\n":1}"#, ["a\n": 1]),
    Accepted("key with NUL", #"{"a\u0000b":1}"#, ["a\u{0}b": 1]),
    Accepted("repeated key", #"{"a":1,"b":2,"a":3}"#, ["a": 3, "b": 2]),
    Accepted("repeated key and value", #"{"a":1,"a":1}"#, ["a": 1]),
    Accepted("keys that are canonically equivalent", "{\"\u{e9}\":1,\"e\u{301}\":2}", ["\u{e9}": 1, "e\u{301}": 2]),
    Accepted("nested objects", #"{"a":{"b":{"c":[{}]}}}"#, ["a": ["b": ["c": [[:]]]]]),
  ]

  private static let numbers = [
    Accepted("zero", "0", 0),
    Accepted("minus zero", "-0", number("-0")),
    Accepted("double zero", "0.0", 0),
    Accepted("zero with exponent", "0e1", 0),
    Accepted("zero with exponent and plus", "0E+1", 0),
    Accepted("capital exponent", "1E22", number("1e22")),
    Accepted("negative exponent", "1E-2", 0.01),
    Accepted("positive exponent", "1E+2", 100),
    Accepted("fraction and exponent", "123.456e78", number("123.456e78")),
    Accepted("leading zeros in the exponent", "1e0002", 100),
    Accepted(
      "many fraction digits", "0.1000000000000000055511151231257827", number("0.1000000000000000055511151231257827")),
    Accepted("beyond double", "1e400", number("1e400")),
    Accepted("below double", "1e-400", number("1e-400")),
    Accepted("huge exponent", "1e99999999999999999999", number("1e99999999999999999999")),
    Accepted("Int64.max", "9223372036854775807", .init(Int64.max)),
    Accepted("Int64.min", "-9223372036854775808", .init(Int64.min)),
    Accepted("Int64.max + 1", "9223372036854775808", .init(UInt64(Int64.max) + 1)),
    Accepted("UInt64.max", "18446744073709551615", .init(UInt64.max)),
    Accepted("eighteen nines", "999999999999999999", 999_999_999_999_999_999),
    Accepted("a hundred digits", String(repeating: "7", count: 100), number(String(repeating: "7", count: 100))),
    Accepted("number then space", "[1 ]", [1]),
  ]

  private static let strings = [
    Accepted("empty string", #""""#, ""),
    Accepted("every short escape", #""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"),
    Accepted("hexadecimal digits of both cases", #""\u00Ff\uFfFd""#, "\u{ff}\u{fffd}"),
    Accepted("escaped NUL", #""\u0000""#, "\u{0}"),
    Accepted("surrogate pair", #""\ud83d\ude39""#, "\u{1f639}"),
    Accepted("last surrogate pair", #""\uDBFF\uDFFF""#, "\u{10ffff}"),
    Accepted("lone high surrogate", #""\ud800""#, "\u{fffd}"),
    Accepted("lone low surrogate", #""\udc00x""#, "\u{fffd}x"),
    Accepted("high surrogate before a letter", #""\ud800abc""#, "\u{fffd}abc"),
    Accepted("high surrogate before an escape", #""\ud800\n""#, "\u{fffd}\n"),
    Accepted("high surrogate before a plain code", #""\ud800\u0041""#, "\u{fffd}A"),
    Accepted("high surrogate before a pair", #""\ud800\ud83d\ude39""#, "\u{fffd}\u{1f639}"),
    Accepted("three high surrogates", #""\ud800\ud801\ud802""#, "\u{fffd}\u{fffd}\u{fffd}"),
    Accepted("inverted pair", #""\udd1e\ud834""#, "\u{fffd}\u{fffd}"),
    Accepted("raw DEL", "\"\u{7f}\"", "\u{7f}"),
    Accepted("raw line separators", "\"\u{2028}\u{2029}\"", "\u{2028}\u{2029}"),
    Accepted(
      "raw characters of two, three and four bytes", "\"\u{80}\u{7ff}\u{800}\u{ffff}\u{10000}\u{10ffff}\"",
      "\u{80}\u{7ff}\u{800}\u{ffff}\u{10000}\u{10ffff}"),
    Accepted("raw byte order mark inside", "\"\u{feff}\"", "\u{feff}"),
    Accepted(
      "characters at the ends of words of eight bytes", #""1234567é12345678é\n1234567\t""#,
      "1234567é12345678é\n1234567\t"),
    Accepted("comment in a string", #""a/*b*/c//d""#, "a/*b*/c//d"),
    Accepted("escaped backslash at the end", #"["\\"]"#, ["\\"]),
    Accepted("escaped quotes", #""\\\"\\\\\"""#, #"\"\\""#),
  ]

  static let refused: [Refused] =
    brokenStructures + brokenLiterals + brokenNumbers + brokenStrings + brokenBytes

  private static let brokenStructures = [
    Refused("nothing", "", .unexpectedEnd, 0),
    Refused("white space only", "  \n", .unexpectedEnd, 3),
    Refused("open array", "[", .unexpectedEnd, 1),
    Refused("open array after value", "[1", .unexpectedEnd, 2),
    Refused("open array after comma", "[1,", .unexpectedEnd, 3),
    Refused("open object", "{", .unexpectedEnd, 1),
    Refused("open object after key", #"{"a""#, .unexpectedEnd, 4),
    Refused("open object after colon", #"{"a":"#, .unexpectedEnd, 5),
    Refused("open object after value", #"{"a":1"#, .unexpectedEnd, 6),
    Refused("open object after comma", #"{"a":1,"#, .unexpectedEnd, 7),
    Refused("comma before the end of an array", "[1,]", .unexpectedByte, 3),
    Refused("comma before the end of an object", #"{"a":1,}"#, .unexpectedByte, 7),
    Refused("comma alone", "[,]", .unexpectedByte, 1),
    Refused("two commas", "[1,,2]", .unexpectedByte, 3),
    Refused("comma after the text", "[1],", .trailingBytes, 3),
    Refused("no comma", "[1 2]", .unexpectedByte, 3),
    Refused("no comma between strings", #"["a" "b"]"#, .unexpectedByte, 5),
    Refused("colon in an array", #"["a":1]"#, .unexpectedByte, 4),
    Refused("comma for colon", #"{"a",1}"#, .unexpectedByte, 4),
    Refused("two colons", #"{"a"::1}"#, .unexpectedByte, 5),
    Refused("no value", #"{"a":}"#, .unexpectedByte, 5),
    Refused("number as key", "{1:1}", .unexpectedByte, 1),
    Refused("bare key", "{a:1}", .unexpectedByte, 1),
    Refused("null as key", "{null:1}", .unexpectedByte, 1),
    Refused("key in single quotes", "{'a':1}", .unexpectedByte, 1),
    Refused("array closed as object", "[1}", .unexpectedByte, 2),
    Refused("object closed as array", #"{"a":1]"#, .unexpectedByte, 6),
    Refused("closed twice", "[]]", .trailingBytes, 2),
    Refused("closed but never opened", "]", .unexpectedByte, 0),
    Refused("two values", "1 2", .trailingBytes, 2),
    Refused("two objects", "{}{}", .trailingBytes, 2),
    Refused("line comment", "[1] // one", .trailingBytes, 4),
    Refused("comment inside", "[/* one */1]", .unexpectedByte, 1),
    Refused("hash comment", "# one\n1", .unexpectedByte, 0),
    Refused("form feed as space", "[\u{c}1]", .unexpectedByte, 1),
    Refused("no-break space as space", "[\u{a0}1]", .unexpectedByte, 1),
    Refused("NUL after the text", "1\u{0}", .trailingBytes, 1),
    Refused("513 arrays", String(repeating: "[", count: 513), .tooDeep, 512),
    Refused("513 objects", String(repeating: #"{"":"#, count: 513), .tooDeep, 4 * 512),
    Refused("a million arrays", String(repeating: "[", count: 1_000_000), .tooDeep, 512),
  ]

  private static let brokenLiterals = [
    Refused("cut literal", "nul", .unexpectedEnd, 3),
    Refused("misspelt literal", "[trux]", .unexpectedByte, 4),
    Refused("capital literal", "True", .unexpectedByte, 0),
    Refused("literal runs on", "nulls", .trailingBytes, 4),
    Refused("literal runs on inside", "[falsey]", .unexpectedByte, 6),
    Refused("undefined", "undefined", .unexpectedByte, 0),
    Refused("NaN", "NaN", .unexpectedByte, 0),
    Refused("nan", "[nan]", .unexpectedByte, 2),
    Refused("Infinity", "[Infinity]", .unexpectedByte, 1),
    Refused("minus Infinity", "-Infinity", .invalidNumber, 1),
    Refused("literal then brace", #"{"a":true"#, .unexpectedEnd, 9),
  ]

  private static let brokenNumbers = [
    Refused("leading zero", "01", .invalidNumber, 1),
    Refused("leading zeros", "[-012]", .invalidNumber, 3),
    Refused("leading zero of many digits", "0123456789012345678901234567890", .invalidNumber, 1),
    Refused("plus", "+1", .unexpectedByte, 0),
    Refused("minus alone", "-", .unexpectedEnd, 1),
    Refused("minus before space", "[- 1]", .invalidNumber, 2),
    Refused("two minuses", "--1", .invalidNumber, 1),
    Refused("point first", ".5", .unexpectedByte, 0),
    Refused("minus point", "-.5", .invalidNumber, 1),
    Refused("point last", "[1.]", .invalidNumber, 3),
    Refused("point at the end", "1.", .unexpectedEnd, 2),
    Refused("point then exponent", "1.e1", .invalidNumber, 2),
    Refused("two points", "1.2.3", .trailingBytes, 3),
    Refused("exponent alone", "[1e]", .invalidNumber, 3),
    Refused("exponent at the end", "1e", .unexpectedEnd, 2),
    Refused("sign of the exponent at the end", "1e+", .unexpectedEnd, 3),
    Refused("two signs of the exponent", "1e+-1", .invalidNumber, 3),
    Refused("fraction of the exponent", "[1e1.5]", .unexpectedByte, 4),
    Refused("hexadecimal", "0x1", .trailingBytes, 1),
    Refused("letter in a number", "[1a]", .unexpectedByte, 2),
    Refused("digit groups", "1_000", .trailingBytes, 1),
    Refused("wide digits", "\u{ff11}", .unexpectedByte, 0),
    Refused("minus in the middle", "[1-2]", .unexpectedByte, 2),
  ]

  private static let brokenStrings = [
    Refused("open string", #""abc"#, .unexpectedEnd, 4),
    Refused("quote alone", "\"", .unexpectedEnd, 1),
    Refused("single quotes", "'a'", .unexpectedByte, 0),
    Refused("backslash at the end", #""a\"#, .unexpectedEnd, 3),
    Refused("escaped quote at the end", #""a\""#, .unexpectedEnd, 4),
    Refused("unknown escape", #""a\xb""#, .invalidEscape, 2),
    Refused("escaped capital U", #""\U0041""#, .invalidEscape, 1),
    Refused("escaped apostrophe", #""\'""#, .invalidEscape, 1),
    Refused("escaped line feed", "\"\\\n\"", .invalidEscape, 1),
    Refused("escaped character of two bytes", "\"\\é\"", .invalidEscape, 1),
    Refused("short code", #""\u12"x"#, .invalidEscape, 5),
    Refused("bad digit", #""\u12g4""#, .invalidEscape, 5),
    Refused("cut code", #""\u12"#, .unexpectedEnd, 5),
    Refused("bad digit after a high surrogate", #""\ud800\u1x""#, .invalidEscape, 10),
    Refused("cut code after a high surrogate", #""\ud800\u"#, .unexpectedEnd, 9),
    Refused("unknown escape after a high surrogate", #""\ud800\x""#, .invalidEscape, 7),
    Refused("raw tab", "\"a\tb\"", .controlCharacter, 2),
    Refused("raw line feed", "\"123456789\n\"", .controlCharacter, 10),
    Refused("raw NUL", "\"\u{0}\"", .controlCharacter, 1),
    Refused("raw U+001F", "\"1234567\u{1f}", .controlCharacter, 8),
    Refused("control character in a key", "{\"a\nb\":1}", .controlCharacter, 3),
  ]

  private static let brokenBytes = [
    Refused("stray continuation", [0x22, 0x80, 0x22], .invalidUTF8, 1),
    Refused("stray continuation after words", Array("\"12345678".utf8) + [0xbf, 0x22], .invalidUTF8, 9),
    Refused("overlong in two bytes", [0x22, 0xc0, 0xaf, 0x22], .invalidUTF8, 1),
    Refused("overlong in three bytes", [0x22, 0xe0, 0x9f, 0xbf, 0x22], .invalidUTF8, 1),
    Refused("overlong in four bytes", [0x22, 0xf0, 0x8f, 0xbf, 0xbf, 0x22], .invalidUTF8, 1),
    Refused("raw surrogate", [0x22, 0xed, 0xa0, 0x80, 0x22], .invalidUTF8, 1),
    Refused("beyond U+10FFFF", [0x22, 0xf4, 0x90, 0x80, 0x80, 0x22], .invalidUTF8, 1),
    Refused("first byte F5", [0x22, 0xf5, 0x80, 0x80, 0x80, 0x22], .invalidUTF8, 1),
    Refused("byte FF", [0x22, 0x61, 0xff, 0x22], .invalidUTF8, 2),
    Refused("cut by a quote", [0x22, 0xe2, 0x82, 0x22], .invalidUTF8, 1),
    Refused("cut by the end", [0x22, 0x61, 0xe2, 0x82], .invalidUTF8, 2),
    Refused("Latin-1", [0x22, 0xe9, 0x22], .invalidUTF8, 1),
    Refused("byte outside a string", [0xe9], .unexpectedByte, 0),
    Refused("half a byte order mark", [0xef, 0xbb], .unexpectedByte, 0),
    Refused("byte order mark in the wrong place", [0x5b, 0xef, 0xbb, 0xbf, 0x5d], .unexpectedByte, 1),
    Refused("two byte order marks", [0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf, 0x31], .unexpectedByte, 3),
    Refused("byte order mark alone", [0xef, 0xbb, 0xbf], .unexpectedEnd, 3),
    Refused("UTF-16", [0xff, 0xfe, 0x31, 0x00], .unexpectedByte, 0),
  ]

  static func nested(_ depth: Int) -> JSONValue {
    (1..<depth).reduce([]) { value, _ in [value] }
  }
}
