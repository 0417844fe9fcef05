/// Sizes as people write them.
enum ByteSize {
  /// "17 bytes", "1.2 KB", "3.4 GB".
  static func text(_ count: Int) -> String {
    guard count >= 1_000 else { return count == 1 ? "1 byte" : "\(count) bytes" }
    var (value, unit) = (Double(count), "")
    for next in ["KB", "MB", "GB", "TB"] where unit.isEmpty || value >= 999.95 {
      (value, unit) = (value / 1_000, next)
    }
    let tenths = Int((value * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10) \(unit)" : "\(tenths / 10).\(tenths % 10) \(unit)"
  }
}
