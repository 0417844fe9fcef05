public import MartletJSON

/// Gives what calls ask for (``InputNeeded``) while a run goes on.
public protocol InputProvider: Sendable {
  /// Gives an input; nil declines it. Its task is cancelled when somebody else was faster, or when the run ends.
  /// - Throws: `InputDeferred` to leave it open: the run parks on it. So does any other error.
  func input(for request: InputRequested) async throws -> JSONValue?
}

/// Thrown by an `InputProvider` that cannot give an input now.
public struct InputDeferred: Error, Sendable {
  /// Leaves the input open.
  public init() {}
}
