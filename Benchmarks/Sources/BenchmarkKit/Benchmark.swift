/// A table of things measured side by side.
///
/// The rows take turns, sample by sample, so that a busy moment of the machine hits all of them alike; what counts is
/// the fastest of many short samples of each. Ratios compare with the first row.
public struct Benchmark {
  private struct Row {
    let name: String
    let bytes: Int?
    let body: () throws -> Void
    var iterations = 1
    var best = Duration.seconds(1_000_000)

    func sample(_ clock: ContinuousClock) throws -> Duration {
      try clock.measure { for _ in 0..<iterations { try body() } }
    }
  }

  private let title: String
  private let samples: Int
  private let sampleTime: Duration
  private var rows: [Row] = []

  /// A table. `sampleTime` is the least time that one sample takes; a body that takes longer runs once a sample.
  public init(_ title: String, samples: Int = 100, sampleTime: Duration = .milliseconds(2)) {
    self.title = title
    self.samples = samples
    self.sampleTime = sampleTime
  }

  /// Adds a row. With `bytes`, what one call of `body` works through, the table shows the throughput too.
  public mutating func add(_ name: String, bytes: Int? = nil, _ body: @escaping () throws -> Void) {
    rows.append(Row(name: name, bytes: bytes, body: body))
  }

  /// Measures all rows and prints the table.
  public mutating func run() throws {
    let clock = ContinuousClock()
    for index in rows.indices {
      // Double the number of calls until even the fastest of three samples is long enough.
      while try (0..<3).map({ _ in try rows[index].sample(clock) }).min() ?? sampleTime < sampleTime {
        rows[index].iterations *= 2
      }
    }
    for _ in 0..<samples {
      for index in rows.indices {
        rows[index].best = min(rows[index].best, try rows[index].sample(clock) / rows[index].iterations)
      }
    }
    printTable()
  }

  private func printTable() {
    print("\n\(title)")
    let width = rows.map(\.name.count).max() ?? 0
    for row in rows {
      var line = "  " + row.name.padded(to: width) + format(row.best).padded(to: 14, left: true)
      if let bytes = row.bytes {
        let megabytes = Double(bytes) / 1e6 / row.best.seconds
        line += "\(Int(megabytes.rounded())) MB/s".padded(to: 13, left: true)
      }
      if row.name != rows[0].name {
        line += "\(decimal(row.best.seconds / rows[0].best.seconds, 2)) ×".padded(to: 12, left: true)
      }
      print(line)
    }
  }

  private func format(_ time: Duration) -> String {
    switch time.seconds {
    case ..<1e-5: "\(decimal(time.seconds * 1e9, 0)) ns"
    case ..<1e-2: "\(decimal(time.seconds * 1e6, 1)) µs"
    default: "\(decimal(time.seconds * 1e3, 1)) ms"
    }
  }

  private func decimal(_ value: Double, _ places: Int) -> String {
    if places == 0 { return "\(Int(value.rounded()))" }
    var unit = 1
    for _ in 0..<places { unit *= 10 }
    let scaled = Int((value * Double(unit)).rounded())
    return "\(scaled / unit).\(String(scaled % unit + unit).dropFirst())"
  }
}

/// Keeps the optimiser from dropping work whose result nobody reads.
@inline(never)
public func use<T>(_ value: T) {
  withExtendedLifetime(value) {}
}

extension Duration {
  var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}

extension String {
  func padded(to width: Int, left: Bool = false) -> String {
    let space = String(repeating: " ", count: max(0, width - count))
    return left ? space + self : self + space
  }
}
