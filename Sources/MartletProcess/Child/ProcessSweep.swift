#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Ends all that this process has started, for a program that must be gone at once and cannot wait for its tasks.
package enum ProcessSweep {
  private static let own = String(UInt64.random(in: .min ... .max), radix: 36)

  /// Marks this process, so that whatever it starts from now on is found. Changes the environment: call it before there
  /// is a second thread.
  package static func prepare() {
    let inherited = getenv(ChildMark.variable).map { String(cString: $0) + ":" } ?? ""
    setenv(ChildMark.variable, inherited + own, 1)
  }

  /// Kills every descendant, whatever group it is in. On Linux only: elsewhere nothing tells whose a process is.
  package static func killAll() {
    #if os(Linux)
      ProcessTable.killAll(marked: own)
    #endif
  }
}
