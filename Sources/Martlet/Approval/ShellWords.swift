/// Words that mean something to a shell.
enum ShellWords {
  /// Words that are no command themselves where a command begins.
  static let reserved = words(
    "if then elif else fi case esac for select while until do done in function time coproc [[ ]] { } !")

  /// Programs and builtins that run what their arguments, or their input, say.
  static let runners = words(
    """
    sudo doas su runuser env command builtin exec eval source . nohup nice ionice chrt taskset time timeout gtimeout \
    setsid stdbuf unbuffer xargs gxargs parallel find gfind fd watch entr strace ltrace gdb script flock chroot unshare \
    nsenter ssh sh bash dash zsh ksh mksh ash fish tcsh csh busybox toybox trap prlimit setpriv capsh setarch linux32 \
    linux64 numactl systemd-run systemd-inhibit start-stop-daemon run-parts pkexec run0 perf valgrind hyperfine tmux \
    screen dtach rlwrap docker podman nerdctl kubectl bwrap firejail proot fakeroot dbus-run-session xvfb-run npx bunx \
    pnpx uvx caffeinate arch noglob nocorrect -
    """)

  /// Words after which a name comes before what runs.
  static let naming = words("function coproc for select")

  /// Builtins that make a name stand for some other command, and assignments that do.
  static let renamers = words("alias enable")
  static let renamed = words("BASH_ALIASES BASH_CMDS aliases galiases saliases commands")

  /// Shells, which run what they read where no argument names a program.
  static let shells = words("sh bash dash zsh ksh mksh ash fish tcsh csh")

  private static func words(_ text: String) -> Set<[UInt8]> {
    Set(text.utf8.split(separator: UInt8(ascii: " ")).map(Array.init))
  }

  /// `NAME=…`, `NAME+=…` and `NAME[…]=…`: set for the command that follows.
  static func isAssignment(_ word: [UInt8]) -> Bool {
    guard let first = word.first, isOfName(first), !(0x30...0x39).contains(first) else { return false }
    var rest = word.drop(while: isOfName)
    if rest.first == UInt8(ascii: "["), let close = rest.firstIndex(of: UInt8(ascii: "]")) {
      rest = rest[(close + 1)...]
    }
    if rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
    return rest.first == UInt8(ascii: "=")
  }

  static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// The name of a program without its directory.
  static func programName(_ word: [UInt8]) -> [UInt8] {
    word.lastIndex(of: UInt8(ascii: "/")).map { Array(word[($0 + 1)...]) } ?? word
  }
}
