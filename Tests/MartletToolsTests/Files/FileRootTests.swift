import Foundation
import Testing

@testable import MartletTools

@Suite struct FileRootTests {
  private func contents(_ root: FileRoot, _ path: String) throws -> String {
    let file = try root.openFile(path)
    var buffer = [UInt8](repeating: 0, count: 1_000)
    let count = try buffer.withUnsafeMutableBytes { try file.read(into: $0) }
    return String(decoding: buffer[..<count], as: UTF8.self)
  }

  private func reason(_ root: FileRoot, _ path: String) -> FileAccessError.Reason? {
    do {
      _ = try root.open(path)
      return nil
    } catch {
      return error.reason
    }
  }

  @Test func `paths inside are opened however they are written`() throws {
    let directory = try TestDirectory().file("a/b/c.txt", "inside")
    let root = FileRoot(directory.path + "//")
    for path in [
      "a/b/c.txt", "./a/b/c.txt", "a//b/./c.txt", "a/../a/b/c.txt", "a/b/../b/c.txt", "\(directory.path)/a/b/c.txt",
      "\(directory.path)/a/../a/b/c.txt",
    ] {
      #expect(try contents(root, path) == "inside", "\(path)")
    }
    #expect(try root.openFile("a/./b/../b/c.txt").path == "a/b/c.txt")
    #expect(try root.openDirectory(".").path == "")
    #expect(try root.openDirectory("").path == "")
    #expect(try root.openDirectory("a/b/..").path == "a")
    #expect(try root.openDirectory(directory.path).path == "")
  }

  @Test(arguments: [
    "..", "../", "../outside", "a/../../outside", "a/b/../../..", "/etc/passwd", "/", "/tmp", "//etc/passwd",
    "../../../../etc/passwd",
  ])
  func `paths outside are refused`(path: String) throws {
    let directory = try TestDirectory().directory("a/b")
    #expect(reason(FileRoot(directory.path), path) == .outsideRoot)
  }

  @Test func `a sibling with the same beginning is outside`() throws {
    let directory = try TestDirectory().file("root/x", "in").file("root-2/x", "out")
    #expect(reason(FileRoot("\(directory.path)/root"), "\(directory.path)/root-2/x") == .outsideRoot)
  }

  @Test func `links that stay inside are followed and others are not`() throws {
    let directory = try TestDirectory().file("root/a/x.txt", "inside").file("secret", "outside")
    try directory.link("root/file", to: "a/x.txt").link("root/dir", to: "a").link("root/a/up", to: "../a/x.txt")
      .link("root/absolute", to: "\(directory.path)/root/a/x.txt").link("root/chain", to: "dir/up")
      .link("root/out", to: "../secret").link("root/outDir", to: "..").link("root/etc", to: "/etc/passwd")
      .link("root/a/sly", to: "../../secret").link("root/loop", to: "loop").link("root/ping", to: "pong")
      .link("root/pong", to: "ping").link("root/gone", to: "nowhere")
    let root = FileRoot("\(directory.path)/root")
    for path in ["file", "dir/x.txt", "a/up", "dir/up", "absolute", "chain"] {
      #expect(try contents(root, path) == "inside", "\(path)")
    }
    for path in ["out", "outDir/secret", "etc", "a/sly", "dir/sly", "outDir", "outDir/root/a/x.txt"] {
      #expect(reason(root, path) == .outsideRoot, "\(path)")
    }
    #expect(reason(root, "loop") == .tooManyLinks)
    #expect(reason(root, "ping/x") == .tooManyLinks)
    #expect(reason(root, "gone") == .notFound)
  }

  @Test func `a root that is itself reached through a link works with both names`() throws {
    let directory = try TestDirectory().file("real/x.txt", "inside")
    try directory.link("alias", to: "real")
    let root = FileRoot("\(directory.path)/alias")
    #expect(try contents(root, "x.txt") == "inside")
    #expect(try contents(root, "\(directory.path)/alias/x.txt") == "inside")
    #expect(try contents(root, "\(directory.path)/real/x.txt") == "inside")
  }

  @Test func `what is not there or of another kind is told apart`() throws {
    let directory = try TestDirectory().file("file", "x").directory("dir")
    let root = FileRoot(directory.path)
    #expect(reason(root, "nothing") == .notFound)
    #expect(reason(root, "dir/nothing/more") == .notFound)
    #expect(reason(root, "file/more") == .notDirectory)
    #expect(reason(root, "a\0b") == .invalidPath)
    #expect(reason(root, String(repeating: "x", count: 5_000)) == .invalidPath)
    #expect(throws: FileAccessError(.isDirectory, "dir")) { _ = try root.openFile("dir") }
    #expect(throws: FileAccessError(.notDirectory, "file")) { _ = try root.openDirectory("file") }
    #expect(reason(FileRoot("\(directory.path)/missing"), "x") == .notFound)
  }

  @Test(.timeLimit(.minutes(5))) func `pipes, sockets and devices are refused and never waited for`() throws {
    let directory = try TestDirectory()
    try #require(mkfifo("\(directory.path)/pipe", 0o600) == 0)
    try directory.link("null", to: "/dev/null")
    let root = FileRoot(directory.path)
    #expect(reason(root, "pipe") == .notRegular)
    #expect(reason(root, "null") == .outsideRoot)
    let everything = FileRoot("/")
    for path in ["/dev/null", "/dev/zero", "/dev/tty"] where access(path, F_OK) == 0 {
      #expect(reason(everything, path) != nil, "\(path)")
    }
    #if os(Linux)
      for path in [
        "/proc/self/environ", "/proc/self/mem", "/sys/kernel/notes", "/proc",
        "/proc/self/fd/0",
      ] {
        #expect(reason(everything, path) != nil, "\(path)")
      }
    #endif
  }

  @Test(.timeLimit(.minutes(5))) func `exchanging directories and links in a race never leads out`() async throws {
    let directory = try TestDirectory().file("root/real/x", "inside").file("outside/x", "outside")
    let base = directory.path
    try directory.link("root/fake", to: "../outside")
    try #require(rename("\(base)/root/real", "\(base)/root/d") == 0)
    let root = FileRoot("\(base)/root")
    try await withThrowingTaskGroup(of: Int.self) { group in
      group.addTask {
        // "d" is a directory and a link out in turn; in between it may be absent.
        for _ in 0..<4_000 {
          _ = rename("\(base)/root/d", "\(base)/root/kept")
          _ = rename("\(base)/root/fake", "\(base)/root/d")
          _ = rename("\(base)/root/d", "\(base)/root/fake")
          _ = rename("\(base)/root/kept", "\(base)/root/d")
        }
        return 0
      }
      group.addTask {
        var opened = 0
        for _ in 0..<8_000 {
          for path in ["d/x", "d/../d/x", "d"] {
            guard let file = try? root.open(path) else { continue }  // absent or a link just now
            var buffer = [UInt8](repeating: 0, count: 10)
            guard FileKind(mode: try file.status().st_mode) == .file else { continue }
            let count = try buffer.withUnsafeMutableBytes { try file.read(into: $0) }
            #expect(String(decoding: buffer[..<count], as: UTF8.self) == "inside")
            opened += 1
          }
        }
        return opened
      }
      var opened = 0
      for try await count in group { opened += count }
      #expect(opened > 0)
    }
  }

  @Test func `no descriptor is left open`() async {
    await #expect(processExitsWith: .success) {
      let directory = try TestDirectory().file("a/b/c", "x")
      try directory.link("l", to: "a/b").link("out", to: "/etc")
      let root = FileRoot(directory.path)
      func count() -> Int { (Int32(0)..<1_024).count { fcntl($0, F_GETFD) >= 0 } }
      let before = count()
      for _ in 0..<200 {
        for path in ["a/b/c", "l/c", "out/passwd", "a/x", "../x", "a", "l"] { _ = try? root.open(path) }
        _ = try root.openDirectory("a").entries()
      }
      if count() != before { fatalError("\(before) became \(count())") }
    }
  }
}
