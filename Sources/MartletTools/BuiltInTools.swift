public import Martlet

/// The tools that come with Martlet.
public enum BuiltInTools {
  /// All of them, in a fixed order, so that requests are the same bytes each time.
  public static func all() -> [any Tool] {
    [CalculatorTool(), CurrentDateTimeTool()]
  }
}
