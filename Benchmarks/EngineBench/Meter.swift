#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// Speeds of one thing, the best of several rounds.
struct Meter {
  /// Tokens a second of wall time.
  private(set) var wall = 0.0
  /// Tokens a second of processor time: nearly the same on a quiet machine, and steady on a busy one.
  private(set) var processor = 0.0

  mutating func measure(_ body: () throws -> Int) rethrows {
    let (startWall, startProcessor) = (seconds(CLOCK_MONOTONIC), seconds(CLOCK_PROCESS_CPUTIME_ID))
    let tokens = Double(try body())
    wall = max(wall, tokens / (seconds(CLOCK_MONOTONIC) - startWall))
    processor = max(processor, tokens / (seconds(CLOCK_PROCESS_CPUTIME_ID) - startProcessor))
  }

  mutating func keepBest(_ other: Meter) {
    wall = max(wall, other.wall)
    processor = max(processor, other.processor)
  }

  private func seconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
