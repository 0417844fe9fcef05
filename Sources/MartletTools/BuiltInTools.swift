public import Martlet

/// The tools that come with Martlet.
public enum BuiltInTools {
  /// All of them, in a fixed order, so that requests are the same bytes each time.
  /// - Parameter root: what the file tools may read; nil for each call's working directory.
  public static func all(root: FileRoot? = nil) -> [any Tool] {
    [
      CalculatorTool(), CurrentDateTimeTool(), GrepTool(root: root), ReadFileTool(root: root),
      ListFilesTool(root: root),
      GlobTool(root: root), ShellTool(root: root?.path),
    ]
  }
}
