import Foundation
import Martlet
import MartletJSON
import Testing

@testable import MartletTools

/// A directory of its own for a test, removed with it.
final class Scratch {
  let path: String
  init() throws {
    path = NSTemporaryDirectory() + "martlet-tools-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path + "/root/sub/deep", withIntermediateDirectories: true)
    try "outside".write(toFile: path + "/secret", atomically: true, encoding: .utf8)
  }
  deinit { try? FileManager.default.removeItem(atPath: path) }
  var root: FileRoot { FileRoot(path + "/root") }
  func write(_ name: String, _ bytes: [UInt8]) throws {
    try Data(bytes).write(to: URL(filePath: path + "/root/" + name))
  }
  func write(_ name: String, _ text: String) throws { try write(name, Array(text.utf8)) }
  func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: path + "/root/" + name, withDestinationPath: target)
  }
}

@Suite struct FileToolTests {
  func read(_ scratch: Scratch, _ path: String, offset: Int = 1, limit: Int = 2_000) async throws -> ToolOutput {
    var arguments = ReadFileTool.Arguments()
    arguments.path = path
    arguments.offset = offset
    arguments.limit = limit
    return try await ReadFileTool(root: scratch.root).call(arguments: arguments, context: ToolContext())
  }

  func grep(_ scratch: Scratch, _ pattern: String, path: String? = nil, include: String? = nil) async throws
    -> ToolOutput
  {
    var arguments = GrepTool.Arguments()
    arguments.pattern = pattern
    arguments.path = path
    arguments.include = include
    return try await GrepTool(root: scratch.root).call(arguments: arguments, context: ToolContext())
  }

  func glob(_ scratch: Scratch, _ pattern: String, path: String = ".") async throws -> String {
    var arguments = GlobTool.Arguments()
    arguments.pattern = pattern
    arguments.path = path
    return text(try await GlobTool(root: scratch.root).call(arguments: arguments, context: ToolContext()))
  }

  func text(_ output: ToolOutput) -> String { output.content.compactMap(\.text).joined() }

  @Test(arguments: [
    "../secret", "sub/../../secret", "out", "outdir/secret", "absolute", "/etc/passwd", "sub/../sub/../../secret",
  ])
  func `nothing outside of the root can be read`(path: String) async throws {
    let scratch = try Scratch()
    try scratch.link("out", to: "../secret")
    try scratch.link("outdir", to: "..")
    try scratch.link("absolute", to: "/etc/passwd")
    let output = try await read(scratch, path)
    #expect(output.isError)
    #expect(output.code?.rawValue == "OUTSIDE_ROOT")
    #expect(!text(output).contains("outside\n"))
  }

  @Test func `links inside the root are followed, also through the root's own path and with dots`() async throws {
    let scratch = try Scratch()
    try scratch.write("sub/a.txt", "inside")
    try scratch.link("near", to: "sub/a.txt")
    try scratch.link("sub/deep/up", to: "../a.txt")
    try scratch.link("full", to: scratch.root.path + "/sub/a.txt")
    for path in ["near", "sub/deep/up", "full", "sub/./deep/../a.txt", scratch.root.path + "/sub/a.txt"] {
      #expect(text(try await read(scratch, path)) == "1\tinside", "\(path)")
    }
  }

  @Test func `links in a circle end`() async throws {
    let scratch = try Scratch()
    try scratch.link("a", to: "b")
    try scratch.link("b", to: "a")
    #expect(try await read(scratch, "a").isError)
  }

  @Test func `a pipe is refused at once`() async throws {
    let scratch = try Scratch()
    #expect(mkfifo(scratch.root.path + "/pipe", 0o600) == 0)
    #expect(try await read(scratch, "pipe").code?.rawValue == "NOT_A_FILE")
    #expect(text(try await grep(scratch, "x")) == "No matches")
  }

  @Test func `long files come in parts that say how to go on`() async throws {
    let scratch = try Scratch()
    try scratch.write("long", (1...5_000).map { "line \($0)" }.joined(separator: "\n"))
    let first = text(try await read(scratch, "long", limit: 3))
    #expect(first == "1\tline 1\n2\tline 2\n3\tline 3\n[… more lines follow: read on with offset 4]")
    #expect(text(try await read(scratch, "long", offset: 5_000)) == "5000\tline 5000")
    #expect(text(try await read(scratch, "long", offset: 6_000)).contains("5000 lines"))
    #expect(text(try await read(scratch, "long")).utf8.count <= 32_768)
  }

  @Test func `a line of any length is cut with a notice`() async throws {
    let scratch = try Scratch()
    try scratch.write("wide", [UInt8](repeating: UInt8(ascii: "x"), count: 3_000_000) + Array("\r\nnext\r\n".utf8))
    let output = text(try await read(scratch, "wide"))
    #expect(output.contains("2998000 bytes of this line left out"))
    #expect(output.hasSuffix("2\tnext"))
  }

  @Test func `binary files, broken text and empty files are told apart`() async throws {
    let scratch = try Scratch()
    try scratch.write("binary", [0x7F, 0, 1, 2])
    try scratch.write("broken", [0x61, 0xFF, 0x62])
    try scratch.write("empty", "")
    #expect(try await read(scratch, "binary").isError)
    #expect(text(try await read(scratch, "broken")).hasPrefix("1\ta\u{FFFD}b"))
    #expect(text(try await read(scratch, "empty")) == "(the file is empty)")
    #expect(try await read(scratch, "missing").code?.rawValue == "NOT_FOUND")
    #expect(try await read(scratch, "sub").code?.rawValue == "NOT_A_FILE")
    #expect(try await read(scratch, "a\0b").isError)
  }

  @Test func `grep finds lines with file and number, in order`() async throws {
    let scratch = try Scratch()
    try scratch.write("b.swift", "one\nlet x = 1\n")
    try scratch.write("sub/a.swift", "let y = 2\nlet x = 3")
    try scratch.write("sub/a.txt", "let x = 4")
    try FileManager.default.createDirectory(atPath: scratch.root.path + "/.git", withIntermediateDirectories: true)
    try scratch.write(".git/config", "let x = 5")
    #expect(
      text(try await grep(scratch, "let x")) == "b.swift:2: let x = 1\nsub/a.swift:2: let x = 3\nsub/a.txt:1: let x = 4"
    )
    #expect(
      text(try await grep(scratch, "x = [13]", include: "*.swift")) == "b.swift:2: let x = 1\nsub/a.swift:2: let x = 3")
    #expect(text(try await grep(scratch, "let", path: "sub/a.txt")) == "sub/a.txt:1: let x = 4")
    #expect(text(try await grep(scratch, "let", path: "sub", include: "sub/*.txt")) == "sub/a.txt:1: let x = 4")
  }

  @Test func `finding nothing is a text and not an error`() async throws {
    let scratch = try Scratch()
    try scratch.write("a", "hello")
    let output = try await grep(scratch, "nowhere")
    #expect(!output.isError)
    #expect(text(output) == "No matches")
  }

  @Test func `a pattern that begins with a hyphen is a pattern, and a broken one is an error`() async throws {
    let scratch = try Scratch()
    try scratch.write("a", "use -v here")
    #expect(text(try await grep(scratch, "-v")) == "a:1: use -v here")
    #expect(try await grep(scratch, "(").code?.rawValue == "INVALID_PATTERN")
    #expect(try await grep(scratch, "x", path: "../").code?.rawValue == "OUTSIDE_ROOT")
  }

  @Test func `too many matches are cut with a notice`() async throws {
    let scratch = try Scratch()
    try scratch.write("a", String(repeating: "match me please\n", count: 10_000))
    let output = text(try await grep(scratch, "match"))
    #expect(output.utf8.count <= 32_768)
    #expect(output.contains("more matching lines left out"))
  }

  @Test(arguments: [
    ("**/*.swift", "b.swift\nsub/a.swift\nsub/deep/c.swift"), ("*.swift", "b.swift\nsub/a.swift\nsub/deep/c.swift"),
    ("sub/*.swift", "sub/a.swift"), ("sub/**", "sub/a.swift\nsub/deep/c.swift"),
    ("?.swift", "b.swift\nsub/a.swift\nsub/deep/c.swift"),
    ("**/{a,c}.swift", "sub/a.swift\nsub/deep/c.swift"), ("[!ab].swift", "sub/deep/c.swift"),
    ("*.md", "No files match *.md"),
    ("./b.swift", "b.swift"),
  ])
  func `glob finds files by pattern`(pattern: String, found: String) async throws {
    let scratch = try Scratch()
    for name in ["b.swift", "sub/a.swift", "sub/deep/c.swift"] { try scratch.write(name, "x") }
    #expect(try await glob(scratch, pattern) == found)
  }

  @Test func `a listing shows kinds and sizes`() async throws {
    let scratch = try Scratch()
    try scratch.write("a.txt", "hello")
    try scratch.link("l", to: "a.txt")
    let output = try await ListFilesTool(root: scratch.root).call(arguments: .init(), context: ToolContext())
    #expect(text(output) == "a.txt  5 bytes\nl  (link)\nsub/")
  }

  @Test func `searching can be cancelled`() async throws {
    let scratch = try Scratch()
    try scratch.write("a", String(repeating: "x\n", count: 500_000))
    let task = Task { try await grep(scratch, "y+z") }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
