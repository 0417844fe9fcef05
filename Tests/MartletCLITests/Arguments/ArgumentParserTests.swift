import MartletTesting
import Testing

@testable import MartletCLI

@Suite struct `reading a command line` {
  static let name = Option<String>("name", short: "n", "NAME", .text, repeats: true, "A name")
  static let count = Option<Int>("count", short: "c", "N", .count(from: 0), "A number")
  static let quiet = Option<Bool>(flag: "quiet", short: "q", repeats: true, "Says less")
  static let later = Option<String>("later", "X", .text, isAvailable: false, "Will come")

  static let root = CommandSpec(
    "martlet", "Test",
    subcommands: [
      CommandSpec(
        "go", "Goes",
        arguments: [ArgumentSpec("WHERE", "The place"), ArgumentSpec("WHEN", isRequired: false, "A time")],
        options: [name.spec, count.spec, quiet.spec, later.spec]
      ) { _, _ in .answered },
      CommandSpec("group", "Groups", subcommands: [CommandSpec("one", "First") { _, _ in .answered }]),
      CommandSpec(notYet: "soon", "Comes", subcommands: ["part"]),
    ])

  private func parse(_ arguments: String...) throws -> ParsedArguments {
    guard case .run(_, let parsed) = try ArgumentParser(root: Self.root).parse(arguments) else {
      throw CommandFailure.usage("nothing to run")
    }
    return parsed
  }

  private func complaint(_ arguments: String...) -> String {
    do {
      _ = try ArgumentParser(root: Self.root).parse(arguments)
      return ""
    } catch {
      #expect(error.status == .usage)
      return error.message
    }
  }

  @Test(arguments: [
    ["go", "--name", "a", "x"], ["go", "--name=a", "x"], ["go", "-n", "a", "x"], ["go", "-na", "x"],
    ["go", "-n=a", "x"],
    ["go", "x", "--name", "a"], ["go", "-qna", "x"], ["go", "--name=a", "--", "x"],
  ])
  func `an option may be written in every GNU way`(_ arguments: [String]) throws {
    guard case .run(let command, let parsed) = try ArgumentParser(root: Self.root).parse(arguments) else {
      Issue.record("nothing to run")
      return
    }
    #expect(command.name == "go")
    #expect(parsed[Self.name] == "a")
    #expect(parsed.positionals == ["x"])
  }

  @Test func `repeated options add up, others take the last`() throws {
    let parsed = try parse("go", "x", "-n", "a", "--name=b", "-c1", "--count", "2", "-qq", "-q")
    #expect(parsed.all(Self.name) == ["a", "b"])
    #expect(parsed[Self.count] == 2)
    #expect(parsed.count(Self.quiet) == 3)
  }

  @Test func `after two dashes everything is an argument`() throws {
    #expect(try parse("go", "--", "--name", "-q").positionals == ["--name", "-q"])
  }

  @Test func `a single dash is an argument and a value may begin with one`() throws {
    let parsed = try parse("go", "-", "--name", "-x")
    #expect(parsed.positionals == ["-"])
    #expect(parsed[Self.name] == "-x")
    #expect(complaint("go", "x", "--name=").contains("--name takes a text, not \"\""))
  }

  @Test func `help and version are found at every level`() throws {
    for arguments in [
      ["--help"], ["help"], ["go", "-h"], ["go", "x", "--help"], ["soon", "--help"], ["group", "-h"],
    ] {
      guard case .help = try ArgumentParser(root: Self.root).parse(arguments) else {
        Issue.record("no help for \(arguments)")
        continue
      }
    }
    guard case .version = try ArgumentParser(root: Self.root).parse(["go", "--version"]) else {
      Issue.record("no version")
      return
    }
  }

  @Test func `mistakes are named with what to do`() {
    #expect(complaint("go").contains("martlet go needs WHERE: the place"))
    #expect(complaint("go", "a", "b", "c").contains("unexpected argument \"c\"; put quotes around WHEN"))
    #expect(complaint("goo", "x").contains("did you mean `martlet go`"))
    #expect(complaint("group").contains("one of one"))
    #expect(complaint("group", "onne").contains("did you mean `martlet group one`"))
    #expect(complaint("go", "--nmae", "a").contains("did you mean --name"))
    #expect(complaint("go", "x", "--count").contains("--count takes a whole number of at least 0"))
    #expect(complaint("go", "x", "--count", "-1").contains("not \"-1\""))
    #expect(complaint("go", "x", "--quiet=yes").contains("takes no value"))
  }

  @Test func `what is not there yet says so`() {
    #expect(complaint("soon") == "martlet soon is not available yet")
    #expect(complaint("soon", "part", "--any", "x") == "martlet soon part is not available yet")
    #expect(complaint("soon", "--any") == "martlet soon is not available yet")
    #expect(complaint("go", "x", "--later", "y") == "--later is not available yet")
  }

  @Test func `no command line makes it trap`() {
    var generator = SeededGenerator(seed: 7)
    let words = [
      "go", "group", "one", "soon", "-", "--", "--name", "-n", "-q", "-qn", "--count", "1", "=", "--=", "-=", "", "ä",
      "--name=ä", "-é",
    ]
    for _ in 0..<5_000 {
      let arguments = (0..<Int.random(in: 0...6, using: &generator)).map { _ in
        words.randomElement(using: &generator) ?? ""
      }
      do { _ = try ArgumentParser(root: Self.root).parse(arguments) } catch { #expect(error.status == .usage) }
    }
  }
}
