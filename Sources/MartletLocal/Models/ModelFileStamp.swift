import MartletJSON

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Remembers that a file was verified, so that half a gigabyte is not hashed at every start: the hash holds as long as
/// size, modification time and file number stay.
struct ModelFileStamp: Hashable {
  let sha256: String
  let size: Int
  let modified: Int
  let file: UInt64

  /// The stamp of the file as it is now; `nil` when there is none.
  init?(of path: String, sha256: String) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    self.sha256 = sha256
    size = Int(status.st_size)
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    modified = Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
    file = UInt64(status.st_ino)
  }

  /// Reads a stamp that was kept; anything unexpected counts as none, since the file can always be hashed again.
  init?(kept bytes: [UInt8]) {
    guard let json = try? JSONValue(parsing: bytes) else { return nil }
    self.init(kept: json)
  }

  init?(kept json: JSONValue) {
    guard let sha256 = json["sha256"]?.stringValue, let size = json["size"]?.intValue,
      let modified = json["modified_ns"]?.intValue, let file = json["file"]?.stringValue.flatMap({ UInt64($0) })
    else { return nil }
    self.sha256 = sha256
    self.size = size
    self.modified = modified
    self.file = file
  }

  var json: JSONValue {
    [
      "sha256": .string(sha256), "size": .number(JSONNumber(size)), "modified_ns": .number(JSONNumber(modified)),
      "file": .string(String(file)),
    ]
  }

  var bytes: [UInt8] { json.bytes() }
}
