import Martlet

/// The models of this build.
struct StandardModelCatalog: ModelCatalog {
  func model(named name: String, context: CommandContext) async throws -> any LanguageModel {
    switch try ModelReference(name) {
    case .provider(let provider, _): throw CommandFailure.notYet("the provider \(provider)")
    #if MARTLET_LOCAL
      case .local: return try await LocalModels(context).open(nil)
      case .localNamed(let name): return try await LocalModels(context).open(name)
      case .localFile(let path): return try await LocalModels(context).open(context.places.path(path))
    #else
      case .local, .localNamed, .localFile: throw Self.noEngine
    #endif
    }
  }

  static let noEngine = CommandFailure.failed(
    "this martlet was built without the on-device engine; run scripts/setup and build it again")
}
