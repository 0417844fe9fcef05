import Foundation

/// The resident memory of this process in bytes, where `/proc` tells.
func residentMemory() -> Int? {
  guard let status = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8),
    let pages = status.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
  else { return nil }
  return pages * 4096
}
