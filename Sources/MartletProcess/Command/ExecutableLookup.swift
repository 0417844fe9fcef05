#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Finds the file that a command names, and says why there is none.
struct ExecutableLookup {
  let command: ProcessCommand

  /// The absolute path of the program.
  func path() throws(ProcessError) -> String {
    let name = command.executable
    if name.contains("/") {
      let path = absolute(name)
      if let fault = fault(of: path) { throw fault }
      return path
    }
    var found: ProcessError?
    // What POSIX shells search when PATH is unset.
    let search = command.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
    for directory in search.split(separator: ":", omittingEmptySubsequences: false) {
      let path = absolute(directory.isEmpty ? name : "\(directory)/\(name)")
      guard let fault = fault(of: path) else { return path }
      // Like a shell: a file that may not be run is remembered, but a later directory may have a better one.
      if fault.code == .notExecutable { found = found ?? fault }
    }
    throw found
      ?? ProcessError(.notFound, "there is no program \"\(name)\" in the PATH; install it or give its full path")
  }

  /// What is wrong with the working directory, if something is.
  func workingDirectoryFault() -> ProcessError? {
    guard let directory = command.workingDirectory else { return nil }
    var status = stat()
    let problem: String
    if stat(directory, &status) != 0 {
      problem = ProcessError.text(errno)
    } else if status.st_mode & S_IFMT != S_IFDIR {
      problem = ProcessError.text(ENOTDIR)
    } else if access(directory, X_OK) != 0 {
      problem = ProcessError.text(errno)
    } else {
      return nil
    }
    return ProcessError(.workingDirectoryMissing, "cannot start in \"\(directory)\": \(problem)")
  }

  /// The child resolves a relative path after its change of directory, so there must be none left.
  private func absolute(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    let base = command.workingDirectory ?? "."
    if base.hasPrefix("/") { return "\(base)/\(path)" }
    guard let current = getcwd(nil, 0) else { return "\(base)/\(path)" }
    defer { free(current) }
    return "\(String(cString: current))/\(base)/\(path)"
  }

  private func fault(of path: String) -> ProcessError? {
    var status = stat()
    guard stat(path, &status) == 0 else {
      return switch errno {
      case ENOENT, ENOTDIR: ProcessError(.notFound, "there is no program at \"\(path)\"")
      case let number: ProcessError(.notExecutable, "cannot run \"\(path)\": \(ProcessError.text(number))")
      }
    }
    if status.st_mode & S_IFMT != S_IFREG {
      return ProcessError(.notExecutable, "cannot run \"\(path)\": it is not a file")
    }
    if access(path, X_OK) != 0 {
      return ProcessError(.notExecutable, "cannot run \"\(path)\": \(ProcessError.text(errno))")
    }
    return nil
  }
}
