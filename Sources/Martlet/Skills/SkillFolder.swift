/// The folder of a skill: what may be read of it, and nothing outside it.
struct SkillFolder {
  /// Why something was not read.
  struct Failure: Error {
    var message: String
  }

  /// Bytes of a file beside the skill that are read for the model.
  static let fileLimit = 256 * 1024
  private static let count = 100
  private static let depth = 4

  let path: String

  /// Paths of the files beside `SKILL.md`, relative to the folder, sorted; at most a hundred. Hidden files and what lies
  /// behind links is left out.
  func files() -> [String] {
    var found: [String] = []
    var pending: [(path: String, depth: Int)] = [("", 0)]
    while let (relative, depth) = pending.popLast(), found.count < Self.count {
      guard let names = try? StorageFile.names(in: path + relative) else {
        // A directory that cannot be listed has nothing that could be offered.
        continue
      }
      var directories: [(path: String, depth: Int)] = []
      for name in names.sorted() where !name.hasPrefix(".") && name != "__pycache__" {
        guard found.count < Self.count else { break }
        let inner = relative + "/" + name
        switch StorageFile.kind(path + inner) {
        case .directory: if depth < Self.depth { directories.append((inner, depth + 1)) }
        case .file: if inner.lowercased() != "/skill.md" { found.append(String(inner.dropFirst())) }
        case .link, .other, nil: break
        }
      }
      pending += directories.reversed()
    }
    return found.sorted()
  }

  /// The text of a file in the folder. Links are followed as long as they do not lead out of it.
  func text(of relative: String, limit: Int = fileLimit) throws(Failure) -> String {
    let parts = relative.split(separator: "/", omittingEmptySubsequences: false)
    guard !relative.hasPrefix("/"), !parts.contains(".."), !relative.isEmpty, !relative.unicodeScalars.contains("\0")
    else { throw Failure(message: "the path must be relative and lead into the skill's folder") }
    guard let root = StorageFile.canonical(path), let target = StorageFile.canonical(path + "/" + relative) else {
      throw Failure(message: "there is no file \(relative)")
    }
    guard target.hasPrefix(root == "/" ? "/" : root + "/") else {
      throw Failure(message: "\(relative) is a link that leads out of the skill's folder")
    }
    let bytes: [UInt8]
    do {
      // What was checked is what is read: a link put there meanwhile is not followed.
      bytes = try StorageFile.readWithoutLinks(target, below: root, limit: limit + 1)
    } catch {
      throw Failure(message: "\(relative) cannot be read: \(error)")
    }
    guard bytes.count <= limit else {
      throw Failure(message: "\(relative) has more than \(limit >> 10) KiB")
    }
    guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
      throw Failure(message: "\(relative) is not text (UTF-8)")
    }
    return text
  }
}
