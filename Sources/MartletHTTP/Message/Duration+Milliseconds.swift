extension Duration {
  /// Whole milliseconds, rounded up, as far as an `Int` goes.
  var wholeMilliseconds: Int {
    let (seconds, attoseconds) = components
    let (milliseconds, overflow) = Int(clamping: seconds).multipliedReportingOverflow(by: 1_000)
    if overflow { return seconds < 0 ? .min : .max }
    let rest = Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    return milliseconds.addingReportingOverflow(rest).partialValue
  }
}
