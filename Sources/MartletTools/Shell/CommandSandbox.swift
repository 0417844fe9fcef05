public import MartletProcess

/// Something that confines the commands which models write, such as a wrapper program.
public protocol CommandSandbox: Sendable {
  /// The command to run in place of `command`, which may read and write below `root`.
  ///
  /// - Throws: when the machine cannot confine it; it is not run then.
  func confine(_ command: ProcessCommand, root: String) throws -> ProcessCommand
}
