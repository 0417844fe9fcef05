/// Maps tool call ids to what a provider allows, the same for a call and its result.
///
/// Ids that fit are sent as they are. Others are made to fit by replacing what is not allowed; where two would become the
/// same, a number tells them apart. The map depends only on the ids before, so it is stable while the history grows.
struct WireIds: Sendable {
  private let isAllowed: @Sendable (UInt8) -> Bool
  private let maxLength: Int
  private let exactLength: Int?
  private var wireIds: [String: String] = [:]
  private var taken: Set<String> = []

  /// - Parameters:
  ///   - isAllowed: which bytes ids are made of; letters, digits, `_` and `-` if not given.
  ///   - exactLength: for providers whose ids have a fixed length (Mistral: nine characters).
  init(
    isAllowed: @escaping @Sendable (UInt8) -> Bool = WireNames.Form.plain.isAllowed, maxLength: Int,
    exactLength: Int? = nil
  ) {
    self.isAllowed = isAllowed
    self.maxLength = maxLength
    self.exactLength = exactLength
  }

  /// The id to send for one of ours.
  mutating func wire(_ id: String) -> String {
    if let known = wireIds[id] { return known }
    var candidate = id
    if !isFit(id) || taken.contains(id) {
      var attempt = 0
      repeat {
        candidate = made(from: id, attempt: attempt)
        attempt += 1
      } while taken.contains(candidate)
    }
    wireIds[id] = candidate
    taken.insert(candidate)
    return candidate
  }

  /// Whether an id is allowed as it is.
  private func isFit(_ id: String) -> Bool {
    let length = id.utf8.count
    return (exactLength.map { length == $0 } ?? (1...maxLength).contains(length)) && id.utf8.allSatisfy(isAllowed)
  }

  /// An allowed id: the hash of ours in base 36 at the end, so that long ids with equal beginnings stay apart.
  private func made(from id: String, attempt: Int) -> String {
    var hash = id.stableHash &+ UInt64(attempt) &* 0x9E37_79B9_7F4A_7C15
    var digits: [UInt8] = []
    let alphabet = Array("0123456789abcdefghijklmnopqrstuvwxyz".utf8)
    for _ in 0..<(exactLength ?? 10) {
      digits.append(alphabet[Int(hash % 36)])
      hash = hash / 36 &+ (hash << 57)
    }
    if exactLength != nil { return String(decoding: digits, as: UTF8.self) }
    let head = id.utf8.prefix(maxLength - 11).map { isAllowed($0) ? $0 : UInt8(ascii: "_") }
    return String(decoding: head + [UInt8(ascii: "_")] + digits, as: UTF8.self)
  }
}
