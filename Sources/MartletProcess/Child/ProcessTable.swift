#if os(Linux)
  import CSpawn

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// What `/proc` tells about the processes of this machine.
  enum ProcessTable {
    struct Entry {
      let id: pid_t
      let group: pid_t
      /// It has ended and waits to be reaped.
      let isDead: Bool
    }

    static func processes() -> [Entry] {
      processIDs().compactMap { id in
        // "12 (a name) with) spaces) S 1 12 …": state and group are counted from the last parenthesis.
        guard let status = contents(of: "/proc/\(id)/stat", limit: 1_024),
          let close = status.lastIndex(of: UInt8(ascii: ")"))
        else { return nil }
        let fields = status[(close + 1)...].split(separator: UInt8(ascii: " "), maxSplits: 3)
        guard fields.count > 2, let state = fields[0].first,
          let group = pid_t(String(decoding: fields[2], as: UTF8.self))
        else { return nil }
        return Entry(id: id, group: group, isDead: state == UInt8(ascii: "Z") || state == UInt8(ascii: "X"))
      }
    }

    /// Kills every process whose initial environment holds `mark`, however it left its group, until none is found.
    /// One that cleared its environment is out of reach.
    static func killAll(marked mark: String) {
      // Several rounds, for one found may fork before it dies.
      for _ in 0..<8 {
        var found = false
        for id in processIDs() where id != getpid() && isMarked(id, mark) {
          // Through a pidfd, and looked at again once that pins the process: the number may have changed hands.
          let descriptor = cspawn_pidfd(id)
          guard descriptor >= 0 else { continue }
          defer { close(descriptor) }
          guard isMarked(id, mark), cspawn_pidfd_signal(descriptor, SIGKILL) == 0 else { continue }
          found = true
          var end = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
          _ = poll(&end, 1, 500)
        }
        if !found { return }
      }
    }

    private static func isMarked(_ id: pid_t, _ mark: String) -> Bool {
      for attempt in 0...20 {
        guard let environment = contents(of: "/proc/\(id)/environ", limit: 256 * 1_024) else { return false }
        if !environment.isEmpty {
          return environment.withUnsafeBytes { cspawn_contains($0.baseAddress, $0.count, mark) != 0 }
        }
        // Between two programs (exec) a process shows no environment for a moment.
        guard attempt < 20, mayBeBetweenPrograms(id) else { break }
        _ = poll(nil, 0, 1)
      }
      return false
    }

    /// Whether a process without an environment may be one of our descendants: younger than we are, and no thread of the
    /// kernel.
    private static func mayBeBetweenPrograms(_ id: pid_t) -> Bool {
      guard let ages = startAndSize("\(id)") else { return false }
      return ages.size > 0 && ages.start >= ownStart
    }

    private static let ownStart = startAndSize("self")?.start ?? 0

    /// When a process was forked, in ticks since the machine started, and how many bytes it has in memory.
    private static func startAndSize(_ process: String) -> (start: UInt64, size: UInt64)? {
      guard let status = contents(of: "/proc/\(process)/stat", limit: 1_024),
        let close = status.lastIndex(of: UInt8(ascii: ")"))
      else { return nil }
      let fields = status[(close + 1)...].split(separator: UInt8(ascii: " "))
      guard fields.count > 20, let start = UInt64(String(decoding: fields[19], as: UTF8.self)),
        let size = UInt64(String(decoding: fields[20], as: UTF8.self))
      else { return nil }
      return (start, size)
    }

    private static func processIDs() -> [pid_t] {
      guard let directory = opendir("/proc") else { return [] }
      defer { closedir(directory) }
      var ids: [pid_t] = []
      while let entry = readdir(directory) {
        let id = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { pid_t(String(cString: $0)) }
        }
        if let id { ids.append(id) }
      }
      return ids
    }

    private static func contents(of path: String, limit: Int) -> [UInt8]? {
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return nil }
      defer { close(descriptor) }
      var bytes: [UInt8] = []
      var chunk = [UInt8](repeating: 0, count: 4_096)
      while bytes.count < limit {
        let count = read(descriptor, &chunk, chunk.count)
        guard count > 0 else { break }
        bytes.append(contentsOf: chunk[..<count])
      }
      return bytes
    }
  }
#endif
