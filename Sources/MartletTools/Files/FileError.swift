/// Why a file tool could not do what it was asked, in words for the model.
struct FileError: Error, Sendable, Hashable, CustomStringConvertible {
  enum Code: String, Sendable {
    case notFound = "NOT_FOUND"
    case outsideRoot = "OUTSIDE_ROOT"
    case notAFile = "NOT_A_FILE"
    case notADirectory = "NOT_A_DIRECTORY"
    case unreadable = "UNREADABLE"
    case invalidPattern = "INVALID_PATTERN"
  }

  var code: Code
  var message: String

  var description: String { message }
}
