public import Martlet

/// The tools that come with Martlet.
public enum BuiltInTools {
  /// All of them, in a fixed order, so that requests are the same bytes each time.
  ///
  /// - Parameters:
  ///   - root: the directory that no path of the file tools leads out of; nil for the working directory of each call.
  ///   - sandbox: what confines the commands of `shell`; nil for nothing.
  public static func all(root: String? = nil, sandbox: (any CommandSandbox)? = nil) -> [any Tool] {
    [
      CalculatorTool(), CurrentDateTimeTool(), GrepTool(root: root), ReadFileTool(root: root),
      ListFilesTool(root: root),
      GlobTool(root: root), ShellTool(root: root, sandbox: sandbox),
    ]
  }
}
