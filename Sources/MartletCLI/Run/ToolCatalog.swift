package import Martlet
import MartletTools

/// Where tools come from.
package protocol ToolCatalog: Sendable {
  /// All tools for a working directory, in the order the model sees them.
  func tools(directory: String) throws -> [any Tool]
}

/// The built-in tools.
struct StandardToolCatalog: ToolCatalog {
  func tools(directory: String) throws -> [any Tool] { BuiltInTools.all() }
}
