import Martlet

extension SQLiteSessionStore {
  /// What is wrong with the database, a sentence each; empty when nothing is, also when there is no database yet. Reads all
  /// of it.
  public func problems() -> [String] {
    guard StorageFile.exists(path) else { return [] }
    var problems: [String] = []
    do {
      try storing {
        try database.query("PRAGMA quick_check(5)") { row in
          let line = row.text(0) ?? ""
          if line != "ok" {
            problems.append("\(path) is damaged: \(line.split(separator: "\n").joined(separator: ", "))")
          }
          return true
        }
        if problems.isEmpty {
          try database.query(
            """
            SELECT coalesce(name, 'that was deleted'), count(record.id), last_seq - shared FROM session
            LEFT JOIN record ON record.id BETWEEN (session.id << 32 | shared + 1) AND (session.id << 32 | last_seq)
            GROUP BY session.id HAVING count(record.id) != last_seq - shared LIMIT 5
            """
          ) { row in
            problems.append("session \(row.text(0) ?? "") has \(row.int(1)) of its \(row.int(2)) records")
            return true
          }
        }
      }
    } catch {
      problems.append((error as? SessionError)?.message ?? "\(error)")
    }
    do {
      let (directory, name) = Self.split(path)
      for file in try StorageFile.names(in: directory).sorted() where file.hasPrefix(name + "-damaged-") {
        problems.append("records that could not be read were put aside in \(directory)/\(file)")
      }
    } catch {
      problems.append("\(path): \(error)")
    }
    return problems
  }

  private static func split(_ path: String) -> (directory: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    return (slash == path.startIndex ? "/" : String(path[..<slash]), String(path[path.index(after: slash)...]))
  }
}
