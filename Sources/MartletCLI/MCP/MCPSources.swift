import MartletJSON
import MartletMCP

/// The MCP servers of all layers of configuration: the user's file, a trusted project's, and the file of `--mcp`, which the
/// user names and which therefore counts as the user's own. Of servers with one name the strongest layer's counts, whole.
struct MCPSources {
  /// Where configuration files keep servers.
  static let key = "mcpServers"

  private(set) var list = MCPServerList()

  /// - Parameter usesConfiguration: whether configuration files count, and not the named file alone.
  init(_ reader: SettingsReader, _ context: CommandContext, usesConfiguration: Bool = true) throws(CommandFailure) {
    let places = context.places
    let variables = MCPVariables(environment: context.environment, directory: context.directory)
    if usesConfiguration {
      for file in [reader.user, reader.isProjectTrusted ? reader.project : nil] {
        guard let file, let value = file.value([Self.key]), !value.isNull else { continue }
        guard let entries = value.objectValue else {
          throw .usage("\(file.place([Self.key])): \(Self.key) takes an object, a server under each name")
        }
        list = list.merged(with: MCPServerList(entries, variables: variables))
      }
    }
    guard let path = reader.arguments[RunOptions.mcp] ?? Self.named(context.environment) else { return }
    guard let file = try ConfigurationFile(path: places.path(path), places: places, pipes: true) else {
      throw .usage("there is no file \(path.quotedShort) with MCP servers")
    }
    guard let entries = MCPServerList.entries(of: .object(file.values)) else {
      throw .usage("\(file.name) names no MCP servers; they stand under mcpServers (or servers), each under its name")
    }
    list = list.merged(with: MCPServerList(entries, variables: variables))
  }

  /// The file of the environment's `MARTLET_MCP`.
  private static func named(_ environment: [String: String]) -> String? {
    guard let path = environment["MARTLET_MCP"], !path.isEmpty else { return nil }
    return path
  }
}
