#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Why a path cannot be used.
struct FileAccessError: Error, Hashable, Sendable, CustomStringConvertible {
  enum Reason: Hashable, Sendable {
    case notFound, outsideRoot, notDirectory, isDirectory, notRegular, noPermission, tooManyLinks, invalidPath
    case system(Int32)
  }

  let reason: Reason
  let path: String

  init(_ reason: Reason, _ path: String) {
    self.reason = reason
    self.path = path
  }

  init(errno number: Int32, _ path: String) {
    let reason: Reason =
      switch number {
      case ENOENT: .notFound
      case ENOTDIR: .notDirectory
      case EISDIR: .isDirectory
      case EACCES, EPERM: .noPermission
      case ELOOP: .tooManyLinks
      case ENAMETOOLONG, EINVAL: .invalidPath
      case ENXIO, ENODEV: .notRegular
      default: .system(number)
      }
    self.init(reason, path)
  }

  /// The code of a tool's result.
  var code: String {
    switch reason {
    case .notFound: "NOT_FOUND"
    case .outsideRoot: "OUTSIDE_ROOT"
    case .noPermission: "NO_PERMISSION"
    case .notDirectory, .isDirectory, .notRegular, .invalidPath, .tooManyLinks: "INVALID_ARGS"
    case .system: "IO_ERROR"
    }
  }

  var description: String {
    let path = path.count <= 200 ? path : String(path.prefix(200)) + "…"
    return switch reason {
    case .notFound: "There is no file or directory \"\(path)\". Look with list_files or glob what there is."
    case .outsideRoot:
      "\"\(path)\" is outside of the working directory, and only what is inside can be used. Give a path relative to it."
    case .notDirectory: "\"\(path)\" is a file or goes through one, not a directory."
    case .isDirectory: "\"\(path)\" is a directory; use list_files to look into it."
    case .notRegular: "\"\(path)\" is a device, a pipe or a file of the system, not a regular file."
    case .noPermission: "There is no permission to read \"\(path)\"."
    case .tooManyLinks: "\"\(path)\" leads through too many symbolic links."
    case .invalidPath: "\"\(path)\" cannot be a path."
    case .system(let number):
      "\"\(path)\" cannot be read: \(strerror(number).map { String(cString: $0) } ?? "error \(number)")."
    }
  }
}
