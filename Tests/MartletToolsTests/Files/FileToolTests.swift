import Foundation
import Martlet
import MartletJSON
import Testing

@testable import MartletTools

@Suite struct FileToolTests {
  @Test func `a small file is given whole`() async throws {
    let directory = try TestDirectory().file("a.txt", "one\ntwo\nthree")
    let output = try await ReadFileTool().call(["path": "a.txt"], directory.context())
    #expect(output.text == "one\ntwo\nthree")
    #expect(!output.isError)
    #expect(output.structured?["total_lines"] == 3)
  }

  @Test(arguments: [
    ("1", 1, 1, "l1\n[lines 1 to 1 of 5; continue with offset 2]"),
    ("2", 2, 2, "l2\nl3\n[lines 2 to 3 of 5; continue with offset 4]"),
    ("end", 4, 2, "l4\nl5"), ("beyond", 4, 10, "l4\nl5"), ("all", 1, 5, "l1\nl2\nl3\nl4\nl5"),
  ])
  func `lines are read from an offset`(name: String, offset: Int, limit: Int, text: String) async throws {
    for ending in ["", "\n"] {
      let directory = try TestDirectory().file("a.txt", "l1\nl2\nl3\nl4\nl5" + ending)
      let output = try await ReadFileTool().call(
        ["path": "a.txt", "offset": .number(JSONNumber(offset)), "limit": .number(JSONNumber(limit))],
        directory.context())
      #expect(output.text == text)
    }
  }

  @Test func `an offset beyond the end says how long the file is`() async throws {
    let directory = try TestDirectory().file("a.txt", "l1\nl2\n")
    let output = try await ReadFileTool().call(["path": "a.txt", "offset": 9], directory.context())
    #expect(output.isError)
    #expect(output.text.contains("2 lines"))
  }

  @Test func `an empty file says so`() async throws {
    let directory = try TestDirectory().file("a.txt", "")
    let output = try await ReadFileTool().call(["path": "a.txt"], directory.context())
    #expect(output.text == "[the file is empty]")
    #expect(!output.isError)
  }

  @Test func `a long file can be read to its end by following the notices`() async throws {
    let all = (1...5_000).map { "line number \($0)" }
    let directory = try TestDirectory().file("a.txt", all.joined(separator: "\n"))
    var (read, offset) = ([String](), 1)
    while true {
      let output = try await ReadFileTool().call(
        ["path": "a.txt", "offset": .number(JSONNumber(offset))], directory.context())
      #expect(output.text.utf8.count <= 32 * 1_024)
      guard let notice = output.lines.last, let next = notice.firstMatch(of: /continue with offset (\d+)\]$/) else {
        read += output.lines
        break
      }
      read += output.lines.dropLast()
      offset = try #require(Int(next.1))
    }
    #expect(read == all)
  }

  @Test func `line endings, wrong bytes and long lines are told`() async throws {
    let directory = try TestDirectory().file("crlf", "a\r\nb\r\n").file("latin", bytes: [0x63, 0x61, 0x66, 0xE9, 0x0A])
      .file("long", String(repeating: "é", count: 3_000) + "\nshort\n")
    let crlf = try await ReadFileTool().call(["path": "crlf"], directory.context())
    #expect(crlf.text == "a\nb\n[lines end with CRLF]")
    let latin = try await ReadFileTool().call(["path": "latin"], directory.context())
    #expect(latin.text.hasPrefix("caf\u{FFFD}\n[not all of it is UTF-8"))
    let long = try await ReadFileTool().call(["path": "long"], directory.context())
    #expect(long.lines[0] == String(repeating: "é", count: 1_000) + "…")
    #expect(long.lines[1] == "short")
    #expect(long.lines[2].contains("1 line is longer than 2000 bytes"))
  }

  @Test func `a huge line costs no memory and the next is found`() async throws {
    let directory = try TestDirectory().file(
      "a", bytes: [UInt8](repeating: 120, count: 3_000_000) + Array("\nend\n".utf8))
    let output = try await ReadFileTool().call(["path": "a", "offset": 2], directory.context())
    #expect(output.text == "end")
  }

  @Test func `binary files and wrong paths are refused with a reason`() async throws {
    let directory = try TestDirectory().file("bin", bytes: [1, 2, 0, 3]).directory("dir")
    for (path, code) in [
      ("bin", "BINARY_FILE"), ("dir", "INVALID_ARGS"), ("none", "NOT_FOUND"), ("/etc/passwd", "OUTSIDE_ROOT"),
      ("../x", "OUTSIDE_ROOT"),
    ] {
      let output = try await ReadFileTool().call(["path": .string(path)], directory.context())
      #expect(output.isError)
      #expect(output.code?.rawValue == code, "\(path): \(output.text)")
      #expect(output.text.contains(path))
    }
  }

  @Test func `reading stops when it is cancelled`() async throws {
    let directory = try TestDirectory().file("a", "x")
    await withTaskGroup(of: Void.self) { group in
      group.cancelAll()
      group.addTask {
        await #expect(throws: CancellationError.self) {
          try await ReadFileTool().call(["path": "a"], directory.context())
        }
        await #expect(throws: CancellationError.self) {
          try await GlobTool().call(["pattern": "*"], directory.context())
        }
        await #expect(throws: CancellationError.self) {
          try await GrepTool().call(["pattern": "x"], directory.context())
        }
        await #expect(throws: CancellationError.self) { try await ListFilesTool().call([:], directory.context()) }
      }
    }
  }

  @Test func `a directory is listed by name with sizes and kinds`() async throws {
    let directory = try TestDirectory().file("b.txt", "12345").file("a/x", "").file(".hidden", "x")
    try directory.link("link", to: "b.txt")
    try #require(mkfifo("\(directory.path)/pipe", 0o600) == 0)
    let output = try await ListFilesTool().call([:], directory.context())
    #expect(output.lines == [".hidden (1 byte)", "a/", "b.txt (5 bytes)", "link -> b.txt", "pipe (special file)"])
    #expect(try await ListFilesTool().call(["path": "a"], directory.context()).text == "x (0 bytes)")
    let empty = try TestDirectory()
    #expect(try await ListFilesTool().call([:], empty.context()).text == "[the directory is empty]")
  }

  @Test func `names that are no text are shown and break no line`() async throws {
    let directory = try TestDirectory()
    for name in [[0x61, 0xFF, 0x62], [0x61, 0x0A, 0x62], [0x1B, 0x5B]] as [[UInt8]] {
      let path = Array("\(directory.path)/".utf8) + name
      let descriptor = withCString(path) { open($0, O_CREAT | O_WRONLY, 0o600) }
      try #require(descriptor >= 0)
      close(descriptor)
    }
    let output = try await ListFilesTool().call([:], directory.context())
    #expect(output.lines == ["\\u{1B}[ (0 bytes)", "a\\nb (0 bytes)", "a\u{FFFD}b (0 bytes)"])
    #expect(try await GlobTool().call(["pattern": "a*"], directory.context()).lines == ["a\\nb", "a\u{FFFD}b"])
    #expect(try await GrepTool().call(["pattern": "x"], directory.context()).text == "No matches")
  }

  @Test func `files are found by pattern in a fixed order`() async throws {
    let directory = try TestDirectory().file("b.swift", "").file("a/c.swift", "").file("a/d.txt", "").file(
      ".git/x.swift", ""
    )
    .file("a/.hidden.swift", "")
    try directory.link("loop", to: ".").link("l.swift", to: "b.swift")
    let context = directory.context()
    #expect(
      try await GlobTool().call(["pattern": "**/*.swift"], context).lines == [
        "a/.hidden.swift", "a/c.swift", "b.swift", "l.swift",
      ])
    #expect(
      try await GlobTool().call(["pattern": "*.swift"], context).lines == [
        "a/.hidden.swift", "a/c.swift", "b.swift", "l.swift",
      ])
    #expect(try await GlobTool().call(["pattern": "./b.*"], context).lines == ["b.swift"])
    #expect(try await GlobTool().call(["pattern": "*.txt", "path": "a"], context).lines == ["a/d.txt"])
    #expect(try await GlobTool().call(["pattern": .string("\(directory.path)/a/*.txt")], context).lines == ["a/d.txt"])
    let none = try await GlobTool().call(["pattern": "*.rs"], context)
    #expect(none.text == "No matches")
    #expect(!none.isError)
    for (arguments, code) in [
      (["pattern": "../*"], "INVALID_ARGS"), (["pattern": "/etc/*"], "OUTSIDE_ROOT"),
      (["pattern": "*", "path": "none"], "NOT_FOUND"), (["pattern": "*", "path": ".."], "OUTSIDE_ROOT"),
    ] as [(JSONValue, String)] {
      #expect(try await GlobTool().call(arguments, context).code?.rawValue == code)
    }
  }

  @Test(.timeLimit(.minutes(5))) func `a directory of many files is listed in bounded time and size`() async throws {
    // MARTLET_MANY_FILES=100000 for the long form.
    let count = ProcessInfo.processInfo.environment["MARTLET_MANY_FILES"].flatMap { Int($0) } ?? 5_000
    let directory = try TestDirectory()
    for index in 0..<count { close(open("\(directory.path)/file-\(index)", O_CREAT | O_WRONLY, 0o600)) }
    let list = try await ListFilesTool().call([:], directory.context())
    #expect(list.text.utf8.count <= 32 * 1_024)
    #expect(list.text.hasSuffix("of \(count) entries; use glob with a pattern to see the others]"))
    let found = try await GlobTool().call(["pattern": .string("file-\(count - 1)")], directory.context())
    #expect(found.text == "file-\(count - 1)")
    let all = try await GlobTool().call(["pattern": "*"], directory.context())
    #expect(all.text.utf8.count <= 32 * 1_024)
    #expect(all.text.hasSuffix("use a narrower pattern or path for the others]"))
    #expect(try await GrepTool().call(["pattern": "x"], directory.context()).text == "No matches")
  }

  @Test func `unreadable directories are counted and the rest is searched`() async throws {
    let directory = try TestDirectory().file("open/a.txt", "needle").file("shut/b.txt", "needle").file(
      "c.txt", "needle")
    chmod(directory.path, 0o755)
    chmod("\(directory.path)/shut", 0)
    defer { chmod("\(directory.path)/shut", 0o700) }
    // As a user whom permissions stop, for root is not stopped by any.
    await #expect(processExitsWith: .success) { [path = directory.path as String] in
      if geteuid() == 0 { setuid(65_534) }
      let context = ToolContext(workingDirectory: path)
      let glob = try await GlobTool().call(["pattern": "**/*.txt"], context).text
      if glob != "c.txt\nopen/a.txt\n[1 directory could not be read]" { fatalError(glob) }
      let grep = try await GrepTool().call(["pattern": "needle"], context).text
      if grep != "c.txt:1: needle\nopen/a.txt:1: needle\n[1 directory could not be read]" { fatalError(grep) }
      let read = try await ReadFileTool().call(["path": "shut/b.txt"], context)
      if read.code?.rawValue != "NO_PERMISSION" { fatalError(read.text) }
    }
  }

  @Test func `deep trees end`() async throws {
    let directory = try TestDirectory().directory(Array(repeating: "d", count: 250).joined(separator: "/"))
    let output = try await GlobTool().call(["pattern": "**/*"], directory.context())
    #expect(output.text == "No matches\n[1 directories are nested too deeply and were left out]")
  }
}
