import Foundation
import MartletProcess
import MartletTesting
import Testing

@testable import Martlet

/// What rules make of command lines, against what the shell makes of them.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/bash"), "there is no /bin/bash here"))
struct `Rules about command lines` {
  private static let seed =
    UInt64(ProcessInfo.processInfo.environment["MARTLET_SEED"] ?? "") ?? UInt64.random(in: 0..<UInt64.max / 2)
  private static let lines = Int(ProcessInfo.processInfo.environment["MARTLET_LINES"] ?? "") ?? 400

  private static let pieces = [
    "rm", "rm ", " x", "r", "m", " ", " ", "a", ";", " && ", " || ", "|", "'", "\"", "'rm'", "\\", "\\\n", "$(", ")",
    "`",
    "\n", "eval ", "command ", "builtin ", "exec ", "X=rm ", "X=rm;", "$X", "${X}", "\"$X\"", "{ ", "}", "(", "! ",
    "if ",
    ";then ", ";fi", ":", ":;", "<f", ">f", " >f ", "2>&1", ">&2 ", "#", "for i in rm;do ", ";done", "$i", "&", "\t",
    "time ", "case a in a)", ";;esac", "[[ ", "=", "A=b ", "$'", "\\x72", "{rm,x}", "{r,a}m", "~", "*", "[", "]", "?",
    "^",
    "%", "@", "+", ",", ".", "-", "$", "$$", "é", "<<<", "env ", "\"rm\" x", "sh -c ", "'rm x'", "xargs ", "echo rm|",
  ]

  private func bash(_ script: String, _ lines: [String], in directory: TestDirectory, path: String) async throws
    -> [String]
  {
    let command = ProcessCommand(
      "/bin/bash", ["-c", script, "bash"] + lines, environment: ["PATH": path, "FUNCNEST": "20", "D": directory.path],
      workingDirectory: directory.path)
    let result = try await command.run(limits: ProcessLimits(timeout: .seconds(120), keptOutput: 1 << 24))
    return result.output.text().split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  @Test func `the words of a command that counts as simple are the words that its program gets`() async throws {
    var random = SeededGenerator(seed: Self.seed)
    var lines: [String] = []
    var words: [[String]] = []
    var tries = 0
    while lines.count < Self.lines, tries < Self.lines * 1_000 {
      tries += 1
      let text = (0..<Int.random(in: 1...8, using: &random)).map { _ in random.pick(Self.pieces) }.joined()
      guard let command = PlainCommand("show " + text) else { continue }
      lines.append("show " + text)
      words.append(command.words.dropFirst().map { String(decoding: $0, as: UTF8.self) })
    }
    #expect(lines.count == Self.lines)
    let output = try await bash(
      "show() { for a in \"$@\"; do printf '[%s]' \"$a\"; done; printf '\\n'; }; for l in \"$@\"; do eval \"$l\"; done 2>&1",
      lines, in: TestDirectory(), path: "")
    for (index, line) in lines.enumerated() {
      let expected = words[index].map { "[\($0)]" }.joined()
      #expect(
        output.indices.contains(index) && output[index] == expected, "seed \(Self.seed): \(line.debugDescription)")
      if !output.indices.contains(index) || output[index] != expected { return }
    }
  }

  @Test func `a program that a line runs is among those that it may run`() async throws {
    let directory = try TestDirectory().file("bin/rm", "#!/bin/sh\necho $N >> $D/ran\n").directory("work")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: directory.path + "/bin/rm")
    for (name, target) in [("env", "/usr/bin/env"), ("xargs", "/usr/bin/xargs"), ("sh", "/bin/sh")] {
      try FileManager.default.createSymbolicLink(
        atPath: "\(directory.path)/bin/\(name)", withDestinationPath: target)
    }
    var random = SeededGenerator(seed: Self.seed)
    func some() -> String {
      (0..<Int.random(in: 0...4, using: &random)).map { _ in random.pick(Self.pieces) }.joined()
    }
    let programs = [
      "rm x", "'rm'", "r\"m\" a", "$X x", "{rm,x}", "\\rm", "$(echo rm) x", "sh -c 'rm x'", "eval rm", "rm",
    ]
    let lines = (0..<Self.lines).map { _ in
      let start = random.pick(["", "", "X=rm;", "X=rm; ", "if :;then ", "{ ", "echo "])
      return start + some() + random.pick(programs) + (random.chance(0.5) ? some() : "")
    }
    _ = try await bash(
      "cd \"$D/work\"; N=0; export N D; for l in \"$@\"; do ( eval \"$l\"; wait ) </dev/null >/dev/null 2>&1; N=$((N+1)); done",
      lines, in: directory, path: directory.path + "/bin")
    let ran = try String(contentsOfFile: directory.path + "/ran", encoding: .utf8).split(separator: "\n").compactMap {
      Int($0)
    }
    #expect(Set(ran).count > Self.lines / 20, "the lines hardly ever run it")
    let pattern = CommandPattern(try RulePattern(Array("rm *".utf8)[...], of: "rm *"))
    for index in Set(ran).sorted() where lines.indices.contains(index) {
      #expect(
        pattern.mayMatch(PossibleCommands(lines[index])), "seed \(Self.seed): \(lines[index].debugDescription)")
    }
  }
}
