public import Martlet
import MartletJSON

extension SQLiteSessionStore {
  /// Gives the stored bytes of records to `body`, oldest first, until that says no.
  func payloads(
    _ number: Int, _ seqs: ClosedRange<Int>, _ database: SQLiteDatabase,
    _ body: (Int, UnsafeRawBufferPointer) throws -> Bool
  ) throws {
    try database.query(
      "SELECT id, payload FROM record WHERE id BETWEEN ? AND ? ORDER BY id",
      [.int(Self.recordId(number, seqs.lowerBound)), .int(Self.recordId(number, seqs.upperBound))]
    ) { row in
      let seq = row.int(0) & 0xFFFF_FFFF
      return try row.withBytes(1) { try body(seq, $0) }
    }
  }

  func large(_ id: String, _ database: SQLiteDatabase) throws -> [UInt8] {
    let bytes = try Int(id).flatMap { id in
      try database.first("SELECT bytes FROM large WHERE id = ?", [.int(id)]) { $0.bytes(0) }
    }
    guard let bytes else { throw JSONFormError(path: "large", message: "the text \(id) is not there") }
    return bytes
  }

  public func records(of session: String, owner: String, after seq: Int, limit: Int) async throws -> [EventRecord] {
    // No session has more; and so sums stay in range.
    let most = Int(UInt32.max)
    let (seq, limit) = (min(max(0, seq), most), min(max(0, limit), most))
    var records: [EventRecord] = []
    repeat {
      let after = seq + records.count
      let page = try storing {
        try self.page(of: session, owner: owner, after: after, limit: min(StoredPage.size, limit - records.count))
      }
      let (found, failure) = await page.records()
      if records.isEmpty { records = found } else { records += found }
      if let failure {
        if records.isEmpty { throw SessionError.damaged(session, at: seq + 1, "\(failure)") }
        return records
      }
      if found.isEmpty { return records }
    } while records.count < limit
    return records
  }

  /// The stored bytes of records, to be read when the database is free for others.
  private func page(of session: String, owner: String, after seq: Int, limit: Int) throws -> StoredPage {
    let database = try database
    let number = try number(of: session, owner: owner)
    var page = StoredPage(after: seq)
    for part in try parts(of: number, database) {
      let next = page.lastSeq + 1
      guard page.count < limit, next <= part.last else { continue }
      let last = min(part.last, seq + limit)
      do {
        try payloads(part.number, next...last, database) { found, bytes in
          let expected = page.lastSeq + 1
          guard found == expected else { throw StoredPage.missing(expected) }
          try page.append(bytes.bindMemory(to: UInt8.self)) { try large($0, database) }
          return true
        }
        if page.lastSeq < last { throw StoredPage.missing(page.lastSeq + 1) }
      } catch let failure as SQLiteFailure where !failure.isDamage {
        throw failure
      } catch {
        page.failure = error
        break
      }
    }
    // One that somebody else has just begun is not there yet.
    if page.count == 0, page.failure == nil, held[Self.key(session, owner)] == nil,
      try lastSeq(of: number, database) == 0
    {
      throw SessionError.missing(session)
    }
    return page
  }

  private func lastSeq(of number: Int, _ database: SQLiteDatabase) throws -> Int {
    try database.first("SELECT last_seq FROM session WHERE id = ?", [.int(number)]) { $0.int(0) } ?? 0
  }

  /// Where the records of a session lie: those it shares, oldest first, then its own.
  private func parts(of number: Int, _ database: SQLiteDatabase) throws -> [(number: Int, last: Int)] {
    var parts: [(number: Int, last: Int)] = []
    var current: Int? = number
    var last = Int(UInt32.max)
    while let number = current {
      let row = try database.first(
        "SELECT last_seq, parent, shared FROM session WHERE id = ?", [.int(number)]
      ) { (lastSeq: $0.int(0), parent: $0.intIfPresent(1), shared: $0.int(2)) }
      guard let row else { break }
      parts.append((number, min(last, row.lastSeq)))
      last = min(last, row.shared)
      current = row.parent
    }
    return parts.reversed()
  }

  public func sessions(owner: String) throws -> [SessionSummary] {
    try storing {
      let database = try database
      var sessions: [SessionSummary] = []
      try database.query(
        """
        SELECT name, title, created_at, updated_at, last_seq,
          CASE WHEN parent IS NOT NULL OR instr(payload, '"parent":{') THEN payload END
        FROM session LEFT JOIN record ON record.id = session.id << 32 | session.shared + 1
        WHERE owner = ? AND name IS NOT NULL AND last_seq > 0 ORDER BY updated_at DESC, name DESC
        """, [.text(owner)]
      ) { row in
        sessions.append(
          SessionSummary(
            id: row.text(0) ?? "", title: row.text(1), createdAt: Timestamp(milliseconds: Int64(row.int(2))),
            updatedAt: Timestamp(milliseconds: Int64(row.int(3))), lastSeq: row.int(4),
            beginning: beginning(row, database)))
        return true
      }
      return sessions
    }
  }

  /// The first event of a fork's or a subagent's own; nil for others, and where it cannot be read, which is told when the
  /// session is opened.
  private func beginning(_ row: SQLiteRow, _ database: SQLiteDatabase) -> AgentEvent? {
    guard !row.isNull(5) else { return nil }
    return try? row.withBytes(5) { try StoredRecord.record($0) { try large($0, database) }.event }
  }

  public func search(_ query: String, owner: String, limit: Int) throws -> [SessionMatch] {
    let query = SearchText.Query(query)
    guard !query.phrases.isEmpty, limit > 0 else { return [] }
    // Words have letters and digits only, so that quotes need no care.
    let expression = query.phrases.map { "\"\($0.joined(separator: " "))\" *" }.joined(separator: " ")
    return try storing {
      let database = try database
      var matches: [SessionMatch] = []
      try database.query(
        """
        SELECT session.name, record.payload FROM word
        JOIN record ON record.id = word.rowid JOIN session ON session.id = word.rowid >> 32
        WHERE word MATCH ? AND session.owner = ? AND session.name IS NOT NULL
        ORDER BY session.updated_at DESC, session.name DESC, word.rowid DESC LIMIT ?
        """, [.text(expression), .text(owner), .int(limit)]
      ) { row in
        // One that cannot be read is told of when the session is opened.
        if let record = try? row.withBytes(1, { try StoredRecord.record($0, text: { try large($0, database) }) }),
          let seq = record.seq, let text = SearchText.text(of: record.event)
        {
          matches.append(
            SessionMatch(
              session: row.text(0) ?? "", seq: seq, time: record.time,
              excerpt: SearchText.excerpt(of: text, around: query)))
        }
        return true
      }
      return matches
    }
  }
}
