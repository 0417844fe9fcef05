public import MartletJSON

/// Something a model can have done: a typed function with a description.
///
/// Conforming needs a name, a description and `call`. The rest has defaults: a title, an effect (`.once`), no permission
/// needed, and parameters derived from `Arguments`.
public protocol Tool<Arguments>: Sendable {
  /// What the tool is called with. Conform to `ToolArguments` to give descriptions, defaults and ranges with
  /// `@Parameter`; use `JSONValue` for a tool whose parameters are only known at run time.
  associatedtype Arguments: Decodable & Sendable

  /// The name the model calls it by: letters, digits, `_` and `-`, at most 64.
  var name: String { get }
  /// A name for people. Default: `name`.
  var title: String { get }
  /// What it does and *when to use it*: the model reads this.
  var description: String { get }
  /// The JSON Schema of the arguments. Default: derived from `Arguments`.
  var parameters: JSONValue { get throws }
  /// What running it twice would do. Default: `.once`.
  var effect: ToolEffect { get }
  /// Whether it may run while other tools of the same turn run. Default: only a read-only tool may.
  var runsConcurrently: Bool { get }
  /// Whether a person or a policy must agree before each run. Default: false.
  var requiresPermission: Bool { get }
  /// Whether it is so quick that no "executing" state should be shown. Default: false.
  var isInstant: Bool { get }
  /// How long one call may take; nil for the agent's own limit. Default: nil.
  var timeout: Duration? { get }
  /// Whether it belongs to another program, such as a server: a recording then keeps how it was offered, and a replay
  /// does without that program. Default: false.
  var isRemote: Bool { get }

  /// Does the work. Runs off the agent's executor, possibly beside other calls of this tool.
  ///
  /// A failure that the model can repair is a result (`ToolOutput.failure`); a thrown error becomes an error result with
  /// its description. When its task is cancelled the tool should stop and throw `CancellationError`.
  func call(arguments: Arguments, context: ToolContext) async throws -> ToolOutput
}

extension Tool {
  public var title: String { name }
  public var effect: ToolEffect { .once }
  public var runsConcurrently: Bool { effect == .readOnly }
  public var requiresPermission: Bool { false }
  public var isInstant: Bool { false }
  public var timeout: Duration? { nil }
  public var isRemote: Bool { false }
  public var parameters: JSONValue {
    get throws { try JSONSchema.derived(from: Arguments.self).document }
  }

  /// The tool as the model and the log know it.
  /// - Throws: when the parameters cannot be derived from `Arguments`.
  public var definition: ToolDefinition {
    get throws {
      ToolDefinition(
        name: name, title: title, description: description, parameters: try parameters, effect: effect,
        runsConcurrently: runsConcurrently, requiresPermission: requiresPermission, isInstant: isInstant)
    }
  }
}
