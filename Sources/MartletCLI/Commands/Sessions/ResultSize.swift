/// How large something is, short: `812 bytes`, `4.2 KB`, `1.3 MB`, in powers of 1,000.
enum ResultSize {
  static func short(_ count: Int) -> String {
    switch count {
    case 1: "1 byte"
    case ..<1_000: "\(count) bytes"
    case ..<999_950: "\(tenths(count, of: 1_000)) KB"
    case ..<999_950_000: "\(tenths(count, of: 1_000_000)) MB"
    default: "\(tenths(count, of: 1_000_000_000)) GB"
    }
  }

  private static func tenths(_ count: Int, of unit: Int) -> String {
    let tenths = (count * 10 + unit / 2) / unit
    return tenths % 10 == 0 || tenths >= 1_000 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }
}
