/// The ways in which the same stream may come.
enum RecordedWays {
  /// The body whole, byte by byte, with CRLF, and with a comment after each event; all must be read alike.
  static func transports(
    for body: [UInt8], headers: [(name: String, value: String)] = [], comments: Bool = true
  ) -> [(name: String, transport: ReplayTransport)] {
    let crlf = body.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] }
    var ways: [(String, [UInt8], Int?)] = [("whole", body, nil), ("bytes", body, 1), ("crlf", crlf, 7)]
    if comments {
      let commented = String(decoding: body, as: UTF8.self).replacing("\n\n", with: "\n\n: ping\n\n")
      ways.append(("comments", Array(commented.utf8), 1_000))
    }
    return ways.map { ($0.0, ReplayTransport($0.1, chunkSize: $0.2)) }
  }
}
