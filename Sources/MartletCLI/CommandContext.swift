import FoundationEssentials
package import Martlet
import MartletHTTP
import MartletProviders

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// All that commands take from the world. Tests inject their own.
package struct CommandContext: Sendable {
  package var console: Console
  /// Standard input.
  package var input: LineInput
  package var isInputTerminal: Bool
  /// Somebody who can be asked; nil when there is nobody.
  package var terminal: Terminal?
  package var environment: [String: String]
  /// The working directory, absolute.
  package var directory: String
  package var interrupts: Interrupts
  package var models: any ModelCatalog
  package var tools: any ToolCatalog
  /// Put around every store that is opened. Tests put one there that fails, or that kills the program.
  package var wrapStore: @Sendable (any SessionStore) -> any SessionStore = { $0 }

  /// Writes down what the run takes from the world.
  var recorder: Recorder?
  /// Gives what was written down.
  var replay: Replay?
  /// Whether the run goes on by itself after the replayed part.
  var goesOnLive = false

  package init(
    console: Console, input: LineInput, isInputTerminal: Bool = false, terminal: Terminal? = nil,
    environment: [String: String], directory: String, interrupts: Interrupts = Interrupts(), models: any ModelCatalog,
    tools: any ToolCatalog
  ) {
    self.console = console
    self.input = input
    self.isInputTerminal = isInputTerminal
    self.terminal = terminal
    self.environment = environment
    self.directory = directory
    self.interrupts = interrupts
    self.models = models
    self.tools = tools
  }

  /// The process's own.
  package static func standard() -> Self {
    let environment = ProcessInfo.processInfo.environment
    return Self(
      console: .standard(environment: environment), input: LineInput(descriptor: STDIN_FILENO),
      isInputTerminal: isatty(STDIN_FILENO) == 1, terminal: .controlling(), environment: environment,
      directory: FileManager.default.currentDirectoryPath, models: StandardModelCatalog(),
      tools: StandardToolCatalog())
  }

  /// Whether nothing of the world is needed, such as keys.
  var isOffline: Bool { replay != nil && !goesOnLive }

  /// The transport as the run's recording wants it.
  func recorded(_ transport: any HTTPTransport) -> any HTTPTransport {
    if let recorder { return RecordingTransport(transport, recorder: recorder) }
    if let replay { return ReplayTransport(replay, live: goesOnLive ? transport : nil) }
    return transport
  }

  var places: Places { Places(directory: directory, environment: environment) }
}
