import Foundation
import Martlet
import MartletJSON
import MartletProcess
import Testing

@testable import MartletTools

@Suite struct ShellToolTests {
  private let tool = ShellTool(environment: [
    "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/nonexistent", "OPENAI_API_KEY": "sk-1",
  ])

  @Test func `output and errors come in order, success says nothing more`() async throws {
    let directory = try TestDirectory().file("x", "1")
    let output = try await tool.call(["command": "ls; echo oops >&2; pwd"], directory.context())
    #expect(output.text == "x\noops\n\(directory.path)")
    #expect(!output.isError)
    #expect(output.structured?["exit_status"] == 0)
  }

  @Test func `a failed command is an error with its status`() async throws {
    let directory = try TestDirectory()
    let context = directory.context()
    let output = try await tool.call(["command": "echo half; exit 3"], context)
    #expect(output.text == "half\n[exit status 3]")
    #expect(output.isError)
    #expect(output.structured?["exit_status"] == 3)
    #expect(try await tool.call(["command": "exit 3"], context).text == "[exit status 3]")
    #expect(try await tool.call(["command": "true"], context).text == "[no output]")
    #expect(try await tool.call(["command": "kill -9 $$"], context).structured?["exit_status"] == 137)
    #expect(try await tool.call(["command": "no-such-program"], context).structured?["exit_status"] == 127)
  }

  @Test func `a command that takes too long is ended with what it printed`() async throws {
    let directory = try TestDirectory()
    let context = directory.context()
    let output = try await tool.call(["command": "echo begun; sleep 300", "timeout_seconds": 1], context)
    #expect(output.text == "begun\n[ended after 1 s: the command and all it started were stopped]")
    #expect(output.isError)
    #expect(output.code == .timeout)
    #expect(output.structured?["timed_out"] == true)
  }

  @Test func `of long output beginning and end are kept`() async throws {
    let directory = try TestDirectory()
    let output = try await tool.call(["command": "seq 1 1000000"], directory.context())
    #expect(output.text.utf8.count <= (1 << 20) + 100)
    #expect(output.text.hasPrefix("1\n2\n3\n"))
    #expect(output.text.hasSuffix("999999\n1000000"))
    #expect(output.text.contains("of output left out"))
  }

  @Test func `there is no input and no secret`() async throws {
    let directory = try TestDirectory()
    let context = directory.context()
    #expect(try await tool.call(["command": "cat; echo end"], context).text == "end")
    let environment = try await tool.call(["command": "env"], context).text
    #expect(!environment.contains("sk-1"))
    #expect(environment.contains("HOME=/nonexistent"))
    #expect(environment.contains("GIT_TERMINAL_PROMPT=0"))
  }

  @Test func `the directory is one inside`() async throws {
    let directory = try TestDirectory().directory("sub")
    try directory.link("out", to: "/etc")
    #expect(
      try await tool.call(["command": "pwd", "workdir": "sub"], directory.context()).text == "\(directory.path)/sub")
    for (workdir, code) in [("..", "OUTSIDE_ROOT"), ("out", "OUTSIDE_ROOT"), ("none", "NOT_FOUND")] {
      #expect(
        try await tool.call(["command": "pwd", "workdir": .string(workdir)], directory.context()).code?.rawValue == code
      )
    }
    let gone = ToolContext(workingDirectory: "\(directory.path)/gone")
    #expect(try await tool.call(["command": "pwd"], gone).code?.rawValue == "NOT_STARTED")
  }

  @Test func `cancelling leaves nothing behind`() async throws {
    let directory = try TestDirectory()
    let task = Task {
      try await tool.call(["command": "sleep 300 & echo $! > pid.new; mv pid.new pid; wait"], directory.context())
    }
    while access("\(directory.path)/pid", R_OK) != 0 { try await Task.sleep(for: .milliseconds(2)) }
    let pid = try #require(
      pid_t(try String(contentsOfFile: "\(directory.path)/pid", encoding: .utf8).filter(\.isNumber)))
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    var status = "Z"
    if let stat = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8) {
      status = stat.split(separator: " ").dropFirst(2).first.map(String.init) ?? "?"
    } else if kill(pid, 0) == 0 {
      status = "alive"
    }
    #expect(status == "Z")
  }

  #if os(Linux)
    @Test func `nothing keeps running after a command, also what left its group`() async throws {
      let directory = try TestDirectory()
      for round in 0..<10 {
        let name = "\(directory.path)/runaway-\(round)"
        let script = "ln -s /bin/sleep \(name); setsid \(name) 300 </dev/null >/dev/null 2>&1 & echo started"
        #expect(try await tool.call(["command": .string(script)], directory.context()).text == "started")
        let rest = try await ProcessCommand("/usr/bin/pgrep", ["-f", name]).run()
        #expect(rest.status == .exited(1), "\(rest.output.text()) still runs")
      }
    }
  #endif

  @Test func `a sandbox takes the place of the command or stops it`() async throws {
    struct Wrapper: CommandSandbox {
      func confine(_ command: ProcessCommand, root: String) throws -> ProcessCommand {
        ProcessCommand("/bin/echo", ["confined to", root] + command.arguments)
      }
    }
    struct Missing: CommandSandbox {
      struct Unavailable: Error {}
      func confine(_ command: ProcessCommand, root: String) throws -> ProcessCommand { throw Unavailable() }
    }
    let directory = try TestDirectory()
    let output = try await ShellTool(sandbox: Wrapper()).call(["command": "rm x"], directory.context())
    #expect(output.text == "confined to \(directory.path) -c rm x")
    await #expect(throws: Missing.Unavailable.self) {
      try await ShellTool(sandbox: Missing()).call(["command": "touch x"], directory.context())
    }
    #expect(access("\(directory.path)/x", F_OK) != 0)
  }

  @Test(arguments: [
    ("OPENAI_API_KEY", "x", true), ("GITHUB_TOKEN", "x", true), ("AWS_SECRET_ACCESS_KEY", "x", true),
    ("AWS_ACCESS_KEY_ID", "x", true),
    ("DB_PASSWORD", "x", true), ("PGPASSWORD", "x", true), ("MYSQL_PWD", "x", true), ("NPM_AUTH", "x", true),
    ("TOKEN", "x", true),
    ("my_secret", "x", true), ("SSH_PRIVATE_KEY", "x", true), ("TOKEN_FILE", "x", true), ("SOME_KEY", "x", true),
    ("DATABASE_URL", "postgres://u:p@host/db", true), ("DATABASE_URL", "postgres://host/db", false),
    ("PATH", "/bin", false),
    ("HOME", "/root", false), ("PWD", "/x", false), ("OLDPWD", "/x", false), ("KEYBOARD_LAYOUT", "us", false),
    ("LANG", "C", false),
    ("SSH_AUTH_SOCK", "/tmp/s", false), ("AUTHOR", "me", false), ("MONKEY", "1", false),
    ("TOKENIZERS_PARALLELISM", "1", false),
    ("XDG_SESSION_ID", "1", false), ("http_proxy", "http://u:p@proxy", true), ("COMPASS", "n", false),
  ])
  func `secrets are known by name or by a password in them`(name: String, value: String, isSecret: Bool) {
    #expect(ShellEnvironment.isSecret(name: name, value: value) == isSecret)
  }
}

@Suite struct BuiltInToolsTests {
  @Test func `the tools are complete, described and safe by default`() async throws {
    let registry = try ToolRegistry(BuiltInTools.all())
    let definitions = await registry.definitions
    #expect(
      definitions.map(\.name) == ["calculator", "currentDateTime", "grep", "read_file", "list_files", "glob", "shell"])
    for definition in definitions {
      #expect(definition.description.contains("Use it"))
      #expect(definition.description.contains("locally"))
      #expect(definition.title != definition.name)
      #expect(definition.effect == (definition.name == "shell" ? .once : .readOnly))
      #expect(definition.requiresPermission == (definition.name == "shell"))
      #expect(definition.isInstant == ["calculator", "currentDateTime"].contains(definition.name))
      #expect(definition.parameters["type"] == "object")
    }
    #expect(definitions[0].parameters["required"] == ["expression"])
    #expect(definitions[2].parameters["required"] == ["pattern"])
    #expect(definitions[1].parameters["required"] == nil || definitions[1].parameters["required"] == [])
  }
}
