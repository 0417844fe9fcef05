#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What can be said about a model file before the engine opens it, so that a mistake gets its reason.
enum ModelFile {
  /// - Throws: `EngineError` with `modelNotFound`, `modelUnreadable`, `notAModel` or `notEnoughMemory`.
  static func check(_ path: String) throws {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      throw errno == ENOENT || errno == ENOTDIR
        ? EngineError(.modelNotFound, "There is no model file at \(path); check the path or run `martlet models pull`.")
        : unreadable(path)
    }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw unreadable(path) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw EngineError(.notAModel, "\(path) is not a file; give the path of a GGUF model file.")
    }
    var magic = [UInt8](repeating: 0, count: 4)
    let count = read(file, &magic, magic.count)
    guard count >= 0 else { throw unreadable(path) }
    guard count == 4, magic == Array("GGUF".utf8) else {
      throw EngineError(.notAModel, "\(path) is not a model in the GGUF format; give the path of a GGUF model file.")
    }
    let needed = Int(status.st_size)
    if let available = availableMemory(), needed > available {
      throw EngineError(
        .notEnoughMemory,
        "The model \(path) needs \(needed >> 20) MiB of memory and \(available >> 20) MiB are free; "
          + "close other programs or choose a smaller model.")
    }
  }

  private static func unreadable(_ path: String) -> EngineError {
    EngineError(.modelUnreadable, "The model file \(path) cannot be read: \(String(cString: strerror(errno))).")
  }

  /// Bytes that programs can still get, by the kernel's own estimate; `nil` where it gives none.
  private static func availableMemory() -> Int? {
    guard let file = fopen("/proc/meminfo", "r") else { return nil }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, Int32(line.count), file) != nil {
      let fields = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        .split(separator: " ")
      if fields.first == "MemAvailable:", fields.count > 1, let kibibytes = Int(fields[1]) { return kibibytes * 1024 }
    }
    return nil
  }
}
