import Martlet

/// One thing that every session store must do.
public struct SessionStoreCheck: Sendable, CustomStringConvertible {
  /// What the check found wrong.
  public struct Failure: Error, Sendable, CustomStringConvertible {
    /// What was expected, and what came.
    public let description: String
  }

  /// What must hold, as a sentence.
  public let name: String
  let body: @Sendable (SessionStoreSubject) async throws -> Void

  init(_ name: String, _ body: @escaping @Sendable (SessionStoreSubject) async throws -> Void) {
    self.name = name
    self.body = body
  }

  public var description: String { name }

  /// Runs the check on a store whose storage is empty.
  /// - Throws: `Failure`, or whatever the store threw that it should not have.
  public func run(_ subject: SessionStoreSubject) async throws { try await body(subject) }

  static func expect(_ condition: Bool, _ what: @autoclosure () -> String, line: Int = #line) throws {
    if !condition { throw Failure(description: "\(what()) (line \(line))") }
  }

  /// Expects an error of the store with a code, and gives it.
  @discardableResult
  static func expect(
    _ code: SessionError.Code, line: Int = #line, _ body: () async throws -> Void
  ) async throws -> SessionError {
    do { try await body() } catch let error as SessionError {
      try expect(error.code == code, "\(code.rawValue) was expected, not \(error.code.rawValue): \(error)", line: line)
      try expect(!error.message.isEmpty, "the error has no message", line: line)
      return error
    }
    throw Failure(description: "\(code.rawValue) was expected, and nothing was thrown (line \(line))")
  }
}
