import CSpawn

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The processes that a child and its descendants form, as long as they do not leave it.
struct ProcessGroup {
  /// The leader's process id. While the leader has not been reaped, the number cannot belong to anyone else.
  let id: pid_t

  func send(_ signal: Int32) { _ = kill(-id, signal) }

  /// SIGTERM, which a stopped process only gets when it is continued.
  func terminate() {
    send(SIGTERM)
    send(SIGCONT)
  }

  /// Whether no member is left, not even one that waits to be reaped.
  var isEmpty: Bool { kill(-id, 0) != 0 && errno == ESRCH }

  /// SIGKILL after the leader has been reaped. If a process has the leader's number again, the group was empty and the
  /// number given away: then it is not ours.
  func killLeftovers() {
    if kill(id, 0) != 0 && errno == ESRCH { send(SIGKILL) }
  }

  /// Whether a member still runs. Tells the dead that nobody reaps from the living; costs a look at every process.
  var hasLivingMembers: Bool {
    if isEmpty { return false }
    #if os(Linux)
      return ProcessTable.processes().contains { $0.group == id && !$0.isDead }
    #else
      return true
    #endif
  }
}
