public import Martlet
public import MartletJSON

/// Computes arithmetic exactly, as tool `calculator`.
///
/// Failures are results with code `INVALID_EXPRESSION`, whose text names the character at fault.
public struct CalculatorTool: Tool {
  /// What to compute.
  public struct Arguments: ToolArguments {
    @Parameter(
      "The arithmetic expression, such as 23*4 or (1.5+2)^2: numbers, + - * / % ^, parentheses, functions like sqrt",
      examples: ["23*4"])
    public var expression: String

    public init() {}
  }

  /// The tool; it has no state.
  public init() {}

  public var name: String { "calculator" }
  public var title: String { "Calculator" }
  public var description: String {
    "Computes an arithmetic expression exactly. Use it for every calculation instead of working it out yourself. "
      + "Runs locally and instantly."
  }
  public var effect: ToolEffect { .readOnly }
  public var isInstant: Bool { true }

  /// The text is "23*4 = 92", or with "≈" when the result had to be rounded; `structured` holds `expression`, `result`
  /// (a number) and `exact`.
  public func call(arguments: Arguments, context: ToolContext) async throws -> ToolOutput {
    let expression = arguments.expression
    do {
      let result = try ArithmeticParser.evaluate(expression).text
      return .structured(
        [
          "expression": .string(expression), "result": try JSONValue(parsing: result.text),
          "exact": .bool(result.isExact),
        ], text: "\(Self.shown(expression)) \(result.isExact ? "=" : "≈") \(result.text)")
    } catch let error as ArithmeticError {
      return .failure("\"\(Self.shown(expression))\" cannot be computed: \(error)", code: "INVALID_EXPRESSION")
    }
  }

  /// The expression on one line, without the "=" that asked for the result.
  private static func shown(_ expression: String) -> String {
    var text = expression.map { $0.isNewline ? " " : $0 }
    while let last = text.last, last.isWhitespace || last == "=" || last == "?" { text.removeLast() }
    while let first = text.first, first.isWhitespace { text.removeFirst() }
    return text.count <= 200 ? String(text) : String(text.prefix(200)) + "…"
  }
}
