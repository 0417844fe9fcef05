import MartletJSON
import MartletTesting
import Testing

@testable import Martlet

@Suite struct `A permission rule` {
  static func tool(
    _ name: String, _ parameters: [String] = [], effect: ToolEffect = .once, requiresPermission: Bool = false
  ) -> ToolDefinition {
    var properties: JSONObject = [:]
    for parameter in parameters { properties[parameter] = [:] }
    return ToolDefinition(
      name: name, description: "", parameters: ["type": "object", "properties": .object(properties)], effect: effect,
      requiresPermission: requiresPermission)
  }

  static let shell = tool("shell", ["command", "workdir"], requiresPermission: true)

  private func covers(_ rule: String, _ call: ToolCall, _ tool: ToolDefinition) throws -> (sure: Bool, may: Bool) {
    let rule = try PermissionRule(rule)
    return (rule.surelyCovers(call, tool), rule.mayCover(call, tool))
  }

  private func allows(_ rule: String, _ line: String) throws -> Bool {
    try covers("shell(\(rule))", ToolCall(name: "shell", arguments: ["command": .string(line)]), Self.shell).sure
  }

  private func denies(_ rule: String, _ line: String) throws -> Bool {
    try covers("shell(\(rule))", ToolCall(name: "shell", arguments: ["command": .string(line)]), Self.shell).may
  }

  // MARK: The form

  @Test(arguments: [
    ("", "is empty"), ("  ", "is empty"), ("rm -rf", "write shell(…) around a command"), ("ä", "is no rule"),
    ("shell(", "no closing parenthesis"), ("shell(a", "no closing parenthesis"), ("shell(a(b)", "no closing"),
    ("shell(a\\)", "no closing"), ("shell()", "nothing in its parentheses"), ("shell( )", "nothing in its"),
    ("shell(a)b", "goes on after"), ("shell(a))", "goes on after"), ("(ls)", "is no rule"), ("shell)", "is no rule"),
    ("effect:read", "there are effect:readOnly"), ("effect:", "names no effect"), ("Effect:once", "is no rule"),
    ("shell.command", "add a pattern"), ("shell.(x)", "names no argument"), ("shell.a..b(x)", "names no argument"),
    (".a(x)", "is no rule"), ("shell ls", "write shell(…)"), ("shell\n(ls)", "is no rule"),
    ("shell(\u{0})", "zero byte"), (String(repeating: "a", count: 65), "is no rule"),
    ("shell(" + String(repeating: "a", count: 9_000) + ")", "the most it may have"),
  ])
  func `that is not wholly understood is refused with the reason`(_ text: String, _ reason: String) {
    let error = #expect(throws: PermissionRuleError.self) { try PermissionRule(text) }
    #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    #expect(throws: PermissionRuleError.self) { try PermissionRule.list("shell,\(text)") }
  }

  @Test func `stands in lists, where commas in parentheses are its own`() throws {
    let texts = try PermissionRule.list(" shell(git log --format=%h,%s) ,read_*, a.b(x\\,y),effect:once").map(\.text)
    #expect(texts == ["shell(git log --format=%h,%s)", "read_*", "a.b(x\\,y)", "effect:once"])
  }

  @Test(arguments: [
    ("shell", "shell", true), ("shell", "shell2", false), ("read_*", "read_file", true), ("*", "anything", true),
    ("*_file", "read_file", true), ("a*b*c", "a-x-b-y-c", true), ("a*b*c", "a-x-c", false), ("*a", "bab", false),
    ("**", "x", true),
  ])
  func `matches names`(_ pattern: String, _ name: String, _ matches: Bool) throws {
    let covered = try covers(pattern, ToolCall(name: name), Self.tool(name))
    #expect(covered.sure == matches && covered.may == matches)
  }

  @Test func `is about effects as well`() throws {
    for effect in ToolEffect.allCases {
      let covered = try covers("effect:readOnly", ToolCall(name: "x"), Self.tool("x", effect: effect))
      #expect(covered.sure == (effect == .readOnly) && covered.may == covered.sure)
    }
  }

  @Test func `survives any text`() {
    let seed = UInt64.random(in: 0..<UInt64.max)
    var random = SeededGenerator(seed: seed)
    let parts = ["shell", "(", ")", "*", "\\", ",", ".", " ", "effect:", "once", "ä", "git status", "'", "\n", "a"]
    for _ in 0..<5_000 {
      let text = (0..<Int.random(in: 0..<9, using: &random)).map { _ in random.pick(parts) }.joined()
      guard let rule = try? PermissionRule(text) else { continue }
      #expect((try? PermissionRule(rule.text)) == rule, "seed \(seed): \(text)")
      let call = ToolCall(name: "shell", arguments: ["command": .string(text)])
      // What is sure is possible.
      if rule.surelyCovers(call, Self.shell) { #expect(rule.mayCover(call, Self.shell), "seed \(seed): \(text)") }
    }
  }

  // MARK: Command lines

  @Test(arguments: [
    ("git status*", "git status"), ("git status*", "git status -s"), ("git status*", "  git   status\t-s \n"),
    ("git status*", "git 'status' \"-s\""), ("git status*", "git status 2>&1"),
    ("git status*", "git status >/dev/null"),
    ("git status *", "git status"), ("git status *", "git status -s -b"), ("git status", "git status"),
    ("git * main*", "git checkout main"), ("git *", "git"), ("swift test --filter *", "swift test --filter 'A|B;C'"),
    ("git show *", "git show HEAD~1:a.txt"), ("git show *", "git show HEAD^"), ("echo *", "echo a=b"),
    ("echo *", "echo \"it costs \\$5 & more\""), ("*", "ls -la"), ("echo a\\*b", "echo 'a*b'"),
    ("ls *", "ls 2> /dev/null"), ("make", "make"),
  ])
  func `that allows covers one simple command`(_ rule: String, _ line: String) throws {
    #expect(try allows(rule, line))
  }

  @Test(arguments: [
    "git status; rm -rf x", "git status;rm x", "git status && rm x", "git status || rm x", "git status & rm x",
    "git status &", "git status | sh", "git status |& sh", "git status\nrm x", "git status\r\nrm x",
    "git status $(rm x)",
    "git status `rm x`", "git status \"$(rm x)\"", "git status \"`rm x`\"", "git status <(rm x)", "git status >(rm x)",
    "git status > ~/.bashrc", "git status >f", "git status >>f", "git status < f", "git status <<< x",
    "git status 3>&1",
    "git status >/dev/null/../../x", "git status >/dev/nullx", "git status &>/dev/null", "git status >|f",
    "GIT_PAGER=evil git status", "PATH=. git status", "git status $X", "git status ${X}", "git status $'x'",
    "git status *", "git status ?", "git status [a]", "git status {a,b}", "git status ~", "git status ~root",
    "git status --x=~/a", "git status #x", "git status 'x", "git status \"x", "git status \\", "git status \\\nx",
    "! git status", "{ git status; }", "(git status)", "if git status; then rm x; fi", "time git status",
    "sudo git status", "env git status", "/tmp/git status", "./git status", "'git status' x", "git\\ status",
    "git statu", "gitstatus", "status", "echo git status", "git status\u{7F}", "git status\u{A0}rm", "git status ä",
    "git status $((1))", "git status\u{0B}x", "coproc git status", "function git status", "[[ git status ]]",
    "git -c alias.status=!rm status", "", "=git status", "git status !x", "a[0]=1 git status", "a+=1 git status",
  ])
  func `that allows a beginning does not cover anything more or else`(_ line: String) throws {
    #expect(try !allows("git status*", line))
  }

  @Test func `that spells out a whole line covers this line alone`() throws {
    let lines = ["make && make test", "echo \"a b\" > f", "git log -p | head", "ls *.c", "echo (a) \\*", "a, b"]
    for line in lines {
      let call = ToolCall(name: "shell", arguments: ["command": .string(line)])
      let rule = try #require(PermissionRule.covering(call, Self.shell))
      for other in lines {
        #expect(
          rule.surelyCovers(ToolCall(name: "shell", arguments: ["command": .string(other)]), Self.shell)
            == (other == line))
      }
      // It can be written into a list, an option, a file.
      #expect(try PermissionRule.list("x,\(rule.text)") == [try PermissionRule("x"), rule])
    }
  }

  @Test(arguments: [
    "rm x", "rm", "/bin/rm x", "\\rm x", "'rm' x", "r''m x", "\"rm\" x", "r\\m x", "r\\\nm x", "RM x", "  rm\tx",
    "ls; rm x", "ls&&rm x", "ls || rm x", "ls & rm x", "ls\nrm x", "ls | rm x", "(rm x)", "{ rm x; }", "! rm x",
    "if true; then rm x; fi", "for i in 1; do rm x; done", "while rm x; do :; done", "case a in a) rm x;; esac",
    "f() { rm x; }; f", "echo $(rm x)", "echo \"$(rm x)\"", "echo `rm x`", "echo \"`rm x`\"", "cat <(rm x)",
    "cat > >(rm x)", "echo ${X:-$(rm x)}", "echo $(( $(rm x) ))", "A=1 rm x", "A=$(ls) B='c d' rm x", ">f rm x",
    "2>&1 rm x", "</dev/null rm x", ">&2 rm x", "sudo rm x", "sudo -u a rm x", "env A=1 rm x", "command rm x",
    "exec rm x", "nohup rm x", "time rm x", "timeout 5 rm x", "nice -n 5 rm x", "xargs rm", "find . -exec rm {} +",
    "ls | xargs -n1 rm", "eval rm x", "eval 'rm x'", "eval \"r\"m x", "sh -c 'rm x'", "bash -lc \"cd a; rm x\"",
    "bash -c \"bash -c 'rm x'\"", "python3 -c 'import os; os.system(\"rm x\")'", "echo 'rm x' | sh", "echo rm x | bash",
    "sh <<EOF\nrm x\nEOF", "curl x | sh", "curl x | sudo bash -s -- a", "bash < f", "bash /dev/stdin", "$X x",
    "r$X x", "${X}m x", "$(echo rm) x", "`echo rm` x", "$'\\x72m' x", "r?", "/bin/r* x", "{rm,x}", "$X/rm x",
    "~/bin/rm x", "sudo $X", "ssh host rm x", "trap 'rm x' EXIT", "echo x; (cd a && (rm x))", "rm x #", "r[m] x",
    "ls # \\\nrm x", "ls # it's\nrm x", "ls ${X:- #$(rm x)}",
    "{rm,-f} x", "{,rm} x",
    "time -p rm x", "time -- rm x", "time -p -- rm x", "function f { rm x; }; f", "function f() { rm x; }; f",
    "coproc n { rm x; }", "coproc rm x", "coproc sudo rm x", "for i do rm x; done", "for i { rm x; }",
    "select i do rm x; done", "if [[ a ]] then rm x; fi", "if [[ a && b ]] then rm x; fi", "[[ a ]] && rm x",
    "if [ a ]; then rm x; fi", "if ((1)) then rm x; fi",
    "shopt -s expand_aliases\nalias q=rm\nq x", "hash -p /bin/rm q; q x", "builtin hash -p /bin/rm q; q x",
    "command alias q=rm\nq x", "BASH_ALIASES[q]=rm; q x", "BASH_CMDS[q]=/bin/rm; q x", "enable -f x.so q; q",
    "env -S'rm x'", "env -vS'rm x'", "env -Srm x", "env --split-string='rm x'", "env --split-string=rm x",
    "git -c alias.q='!rm x' q", "git -c alias.q=!rm q x", "git config alias.q '!rm x'", "git bisect run rm x",
    "git submodule foreach rm x", "prlimit rm x", "setpriv rm x", "systemd-run rm x", "pkexec rm x", "perf stat rm x",
    "tmux new rm x", "screen -dm rm x", "docker run a rm x", "npx rm x", "prlimit -n 1 sh -c 'rm x'",
    "echo $(case a in a) rm x;; esac)", "echo \"$(case a in a) rm x;; esac)\"", "A=$(case a in a) rm x;; esac) ls",
    "echo $(ca\\\nse a in a) rm x;; esac)", "echo $(case a in (a) ls;; b) rm x;; esac)",
    "ls 'unterminated; rm x", "ls \"unterminated; rm x", "ls $(unterminated; rm x", "ls `unterminated; rm x",
  ])
  func `that denies covers every line in which some part may be such a command`(_ line: String) throws {
    #expect(try denies("rm *", line))
  }

  @Test(arguments: [
    "ls", "grep rm x", "git rm x", "git commit -m 'remove x'", "rmdir x", "echo rm", "cat rm", "ls rm/", "echo 'a b'",
    "awk '{print $1}' x", "echo $HOME", "make | tee log", "A=rm ls", "cat > rm", "sort < rm",
    "swift build 2>&1 | tail -5",
    "cat <<EOF\nhello there\nEOF", "python3 -c 'print(1)'", "curl -d '{\"a\":\"b c\",\"d\":[1,2]}' x", "sh build.sh",
    "for i in rm; do ls; done", "for rm in a; do ls; done; echo rm", "[ -f rm ]", "[[ -f rm ]] && ls", "time -p ls rm",
    "function f { ls rm; }", "git -c a.b=c log", "hash rm", "env -u A ls rms", "echo $(case a in a) ls;; esac)",
    "echo 'a=b c'", "echo 'hello world!'",
  ])
  func `that denies leaves alone what cannot be such a command`(_ line: String) throws {
    #expect(try !denies("rm *", line))
  }

  @Test func `that denies is compared with the line as it stands too`() throws {
    #expect(try denies("*--force*", "git push --force"))
    #expect(try denies("git push *--force*", "git  push origin --force"))
    #expect(try denies("git push --force*", "git push $FLAGS"))
    #expect(try denies("git push *--force*", "git push origin $FLAGS"))
    #expect(try denies("git push *--force*", "/usr/bin/git push a --force-with-lease b"))
    #expect(try denies("git push", "git push $FLAGS"))
    #expect(try !denies("git push", "git push origin"))
    #expect(try !denies("git push --force*", "git pull"))
  }

  @Test func `reads deep nesting and long lines to an end`() throws {
    var line = "rm x"
    for _ in 0..<40 { line = "bash -c '\(line.replacing("'", with: "'\\''"))'".prefix(60_000).description }
    #expect(try denies("rm *", line))
    #expect(try denies("rm *", String(repeating: "$(", count: 50_000)))
    #expect(try !allows("echo *", "echo " + String(repeating: "(", count: 50_000)))
    #expect(try !denies("rm *", "echo " + String(repeating: "a ", count: 50_000)))
  }

  @Test func `that would take too long to compare is taken to cover what it denies`() throws {
    for word in ["a", "$a", "a$a"] {
      for count in [2_000, 20_000] {
        let line = "env $a " + Array(repeating: word, count: count).joined(separator: " ")
        #expect(try denies("rm *", line))
        #expect(try denies("git *a*b*c* *d*", Array(repeating: line, count: 3).joined(separator: "; ")))
      }
    }
  }

  @Test func `compares lists of words with no shell between`() throws {
    func call(_ words: [String]) -> ToolCall {
      ToolCall(name: "shell", arguments: ["command": .array(words.map { .string($0) })])
    }
    #expect(try covers("shell(git status*)", call(["git", "status", "; rm x"]), Self.shell).sure)
    #expect(try !covers("shell(git status*)", call(["bash", "-c", "git status"]), Self.shell).sure)
    #expect(try covers("shell(rm *)", call(["bash", "-c", "ls; rm x"]), Self.shell).may)
    #expect(try covers("shell(rm *)", call(["/bin/rm", "x"]), Self.shell).may)
    #expect(try !covers("shell(rm *)", call(["ls", "rm"]), Self.shell).may)
    // What is neither a line nor words.
    let odd = ToolCall(name: "shell", arguments: ["command": ["git status", 1]])
    #expect(try !covers("shell(git status*)", odd, Self.shell).sure)
    #expect(try !covers("shell(git*)", ToolCall(name: "shell"), Self.shell).sure)
  }

  // MARK: Other arguments

  @Test func `reads the words beside a program's name as its arguments`() throws {
    let run = Self.tool("run", ["command", "args", "cwd", "timeout"])
    func call(_ command: JSONValue, _ more: JSONObject) -> ToolCall {
      var arguments: JSONObject = ["command": command]
      for (key, value) in more { arguments[key] = value }
      return ToolCall(name: "run", arguments: arguments)
    }
    #expect(try !covers("run(python)", call("python", ["args": ["-c", "x"]]), run).sure)
    #expect(try covers("run(python)", call("python", ["args": [], "timeout": 3]), run).sure)
    #expect(try covers("run(git status*)", call("git", ["args": ["status", "-s"]]), run).sure)
    #expect(try covers("run(git status*)", call(["git"], ["args": ["status", "-s"]]), run).sure)
    #expect(try !covers("run(git status*)", call("git", ["args": ["push"]]), run).sure)
    #expect(try !covers("run(git *)", call("git; rm", ["args": ["status"]]), run).sure)
    #expect(try !covers("run(git*)", call("git", ["args": "status"]), run).sure)
    #expect(try covers("run(git push*)", call("git", ["args": ["push", "-f"]]), run).may)
    #expect(try covers("run(git push*)", call("git", ["args": "push -f"]), run).may)
    #expect(try covers("run(rm *)", call("sh", ["args": ["-c", "ls; rm x"]]), run).may)
    #expect(try covers("run(rm *)", call("rm x", ["args": ["y"]]), run).may)
    #expect(try !covers("run(rm *)", call("ls", ["args": ["rm"]]), run).may)
    #expect(try covers("run(rm *)", call("ls", ["script": "rm x"]), run).may)
  }

  @Test(
    arguments: [
      ("cwd", "/tmp"), ("env", ["PATH": "."]), ("workdir", "x"), ("stdin", "rm x"), ("args", ["x"]), ("user", "root"),
    ] as [(String, JSONValue)])
  func `does not cover what other arguments make of a command line`(_ name: String, _ value: JSONValue) throws {
    let tool = Self.tool("run", ["command", name])
    let call = ToolCall(name: "run", arguments: ["command": "make", name: value])
    #expect(try !covers("run(make)", call, tool).sure)
    #expect(PermissionRule.covering(call, tool) == nil)
    #expect(try covers("run(make*)", call, tool).may)
    // About this argument alone, or about all of them, it says so.
    #expect(try covers("run.command(make)", call, tool).sure && covers("run", call, tool).sure)
  }

  @Test func `compares texts, all of them to allow and any to deny`() throws {
    let copy = Self.tool("copy", ["from", "to"])
    let call = ToolCall(name: "copy", arguments: ["from": "src/a", "to": "doc/b", "mode": 7])
    #expect(try !covers("copy(src/*)", call, copy).sure)
    #expect(try covers("copy(src/*)", call, copy).may)
    #expect(try covers("copy.from(src/*)", call, copy).sure)
    #expect(try !covers("copy.to(src/*)", call, copy).may)
    #expect(try covers("copy.mode(7)", call, copy).sure)
    #expect(try !covers("copy.mode(70)", call, copy).may)
    #expect(try !covers("copy.absent(*)", call, copy).sure)
    #expect(try !covers("copy(*)", ToolCall(name: "copy", arguments: ["mode": 7]), copy).sure)
    let nested = ToolCall(name: "copy", arguments: ["edit": ["path": ["src/x", "etc/y"]], "edit.path": "src/z"])
    #expect(try !covers("copy.edit.path(src/*)", nested, copy).sure)
    #expect(try covers("copy.edit.path(etc/*)", nested, copy).may)
  }

  @Test(arguments: ["src/../etc/x", "src/..", "src\\..\\x", "src/a\nb", "/src/a", "./src/a"])
  func `that allows with a star does not lead out of its directory`(_ path: String) throws {
    let call = ToolCall(name: "read", arguments: ["path": .string(path)])
    #expect(try !covers("read(src/*)", call, Self.tool("read", ["path"])).sure)
  }

  @Test(arguments: [
    "secrets/x", "./secrets/x", "a/../secrets/x", "secrets//x", "/home/me/secrets/x", "../secrets/x", "Secrets/x",
    "a/./b/../../secrets/./x",
  ])
  func `that denies a path covers its other spellings`(_ path: String) throws {
    let call = ToolCall(name: "read", arguments: ["path": .string(path)])
    #expect(try covers("read(secrets/*)", call, Self.tool("read", ["path"])).may)
    #expect(try covers("read.path(secrets/*)", call, Self.tool("read", ["path"])).may)
    #expect(try !covers("read(secret/*)", call, Self.tool("read", ["path"])).may)
  }

  @Test func `takes no argument for a command line that hides another`() throws {
    // The tool knows no `command`: it does not stand for the call.
    let read = Self.tool("read", ["path"])
    let call = ToolCall(name: "read", arguments: ["path": "/etc/shadow", "command": "src/a"])
    #expect(try !covers("read(src/*)", call, read).sure)
    // A command line that the schema does not name is still read as one.
    let odd = ToolCall(name: "run", arguments: ["cmd": "git status; rm x"])
    #expect(try !covers("run(git status*)", odd, Self.tool("run")).sure)
    #expect(try covers("run(rm *)", odd, Self.tool("run")).may)
  }

  @Test func `about arguments that cannot be read denies and does not allow`() throws {
    let call = ToolCall(id: "c", name: "shell", arguments: .unparsed(text: "{", reason: "cut"))
    #expect(try !covers("shell", call, Self.shell).sure)
    #expect(try covers("shell(rm *)", call, Self.shell).may)
  }

  @Test func `is offered for all calls of a tool, or for one command line`() throws {
    let read = ToolCall(name: "read", arguments: ["path": "a"])
    #expect(PermissionRule.covering(read, Self.tool("read", ["path"]))?.text == "read")
    let line = ToolCall(name: "shell", arguments: ["command": "ls *"])
    #expect(PermissionRule.covering(line, Self.shell)?.text == "shell(ls \\*)")
    let words = ToolCall(name: "shell", arguments: ["command": ["ls"]])
    #expect(PermissionRule.covering(words, Self.shell) == nil)
    let long = ToolCall(name: "shell", arguments: ["command": .string(String(repeating: "a", count: 9_000))])
    #expect(PermissionRule.covering(long, Self.shell) == nil)
  }
}
