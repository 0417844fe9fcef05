import Martlet
import MartletJSON

/// Records of a session one after the other, as they are stored: copied out of the database, so that reading what they say
/// takes neither its time nor only one thread.
struct StoredPage: Sendable {
  private enum Item {
    case bytes(Range<Int>)
    /// One whose long texts lie elsewhere, and were fetched.
    case record(EventRecord)
  }

  /// The most records that are copied at once.
  static let size = 2_000
  /// So many are worth a second thread.
  private static let shared = 64

  private let start: Int
  private var bytes: [UInt8] = []
  private var items: [Item] = []
  /// Why there are no more, where there should be.
  var failure: (any Error)?

  /// A page of what follows a record.
  init(after seq: Int) { start = seq }

  var count: Int { items.count }

  /// The number of the last record; of the one before the page where it has none.
  var lastSeq: Int { start + items.count }

  static func missing(_ seq: Int) -> JSONFormError { JSONFormError(path: "", message: "record \(seq) is not there") }

  /// Adds the next record; `text` gives what is kept apart of it.
  mutating func append(_ stored: UnsafeBufferPointer<UInt8>, text: (String) throws -> [UInt8]) throws {
    if StoredRecord.isWhole(stored) {
      bytes.append(contentsOf: stored)
      items.append(.bytes(bytes.count - stored.count..<bytes.count))
    } else {
      let record = try StoredRecord.record(stored, text: text)
      try Self.check(record.seq, lastSeq + 1)
      items.append(.record(record))
    }
  }

  /// Reads them; as many as can be, and why not more.
  func records() async -> (records: [EventRecord], failure: (any Error)?) {
    let middle = count < Self.shared ? count : count / 2
    async let later = recordsElsewhere(in: middle..<count)
    var (records, unreadable) = records(in: 0..<middle, beside: count - middle)
    let rest = await later
    if let unreadable { return (records, unreadable) }
    records += rest.records
    return (records, rest.failure ?? failure)
  }

  @concurrent
  private func recordsElsewhere(in range: Range<Int>) async -> (records: [EventRecord], failure: (any Error)?) {
    records(in: range)
  }

  /// Reads some of them; `others` are to be added.
  private func records(
    in range: Range<Int>, beside others: Int = 0
  ) -> (records: [EventRecord], failure: (any Error)?) {
    var records: [EventRecord] = []
    records.reserveCapacity(range.count + others)
    var reader = RecordReader()
    do {
      try bytes.withUnsafeBufferPointer { bytes in
        for index in range {
          switch items[index] {
          case .bytes(let place):
            let record = try StoredRecord.record(UnsafeBufferPointer(rebasing: bytes[place]), &reader) {
              throw JSONFormError(path: "large", message: "the text \($0) is not looked for")
            }
            try Self.check(record.seq, start + index + 1)
            records.append(record)
          case .record(let record): records.append(record)
          }
        }
      }
    } catch {
      return (records, error)
    }
    return (records, nil)
  }

  private static func check(_ seq: Int?, _ expected: Int) throws {
    guard seq == expected else { throw JSONFormError(path: "seq", message: "\(expected) is expected") }
  }
}
