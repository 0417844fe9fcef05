import Martlet
import MartletCrypto
import MartletHTTP
import MartletTools

/// The tool catalogue that the user has set: other words for tools, and further tools made of them.
struct CatalogueTools {
  let url: String
  /// Whether the user has said which tools there are: then none is added.
  let isChosen: Bool
  let context: CommandContext

  /// Fetches the catalogue and describes the tools by it. What is wrong with it is a notice.
  /// - Returns: what of it is used.
  func apply(to registry: ToolRegistry) async throws -> ToolCatalogue {
    let console = context.console
    let name = SHA256.hash(Array(url.utf8)).hex.prefix(12)
    let remote = RemoteToolCatalogue(
      url: url, copy: context.places.data.map { "\($0)/catalogues/\(name).json" }, transport: SystemTransport.shared)
    let fetched = try await remote.fetch()
    if let warning = fetched.warning { console.notice(warning) }
    let own = await registry.definitions
    var catalogue = ToolCatalogue()
    for entry in fetched.catalogue.entries {
      let implementation = own.first { $0.name == entry.implementation }
      if entry.name != entry.implementation, let implementation {
        if isChosen { continue }
        // Rules go by names: another name must not lead around them.
        if implementation.requiresPermission {
          console.notice("\(entry.name) is left out: \(implementation.name) needs permission and keeps its own name")
          continue
        }
      }
      catalogue.entries.append(entry)
    }
    for problem in await registry.apply(catalogue) { console.notice(problem) }
    return catalogue
  }
}
