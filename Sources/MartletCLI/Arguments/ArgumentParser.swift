/// Reads a command line by GNU conventions: `--option value`, `--option=value`, `-o value`, `-ovalue`, `-ab` for two
/// flags, `--` before arguments that begin with a dash; options and arguments in any order.
struct ArgumentParser {
  let root: CommandSpec

  enum Invocation {
    case run(CommandSpec, ParsedArguments)
    case help(CommandSpec, path: [String])
    case version
  }

  func parse(_ arguments: [String]) throws(CommandFailure) -> Invocation {
    var reading = Reading(command: root, rest: arguments[...])
    try reading.readAll()
    return try reading.finish()
  }

  private struct Reading {
    var command: CommandSpec
    var rest: ArraySlice<String>
    var parsed = ParsedArguments()
    var wantsHelp = false
    var wantsVersion = false

    mutating func readAll() throws(CommandFailure) {
      while let argument = rest.popFirst() {
        if argument == "--" {
          while let argument = rest.popFirst() { try take(argument) }
        } else if argument.hasPrefix("--") {
          try readLong(argument.dropFirst(2))
        } else if argument.hasPrefix("-"), argument != "-" {
          try readShort(argument.dropFirst())
        } else {
          try take(argument)
        }
      }
    }

    mutating func finish() throws(CommandFailure) -> Invocation {
      if wantsHelp { return .help(command, path: parsed.path) }
      if wantsVersion { return .version }
      guard command.body != nil else {
        guard command.isAvailable else { throw .notYet(commandLine) }
        let commands = command.subcommands.filter(\.isAvailable).map(\.name)
        throw usage("a command is missing after \(commandLine.quotedShort): one of \(commands.joined(separator: ", "))")
      }
      if let missing = command.arguments.dropFirst(parsed.positionals.count).first(where: \.isRequired) {
        throw usage("\(commandLine) needs \(missing.name): \(missing.help.lowercasedFirst)")
      }
      return .run(command, parsed)
    }

    private var commandLine: String { (["martlet"] + parsed.path).joined(separator: " ") }

    private func usage(_ problem: String) -> CommandFailure {
      .usage("\(problem); try `\(commandLine) --help`")
    }

    private mutating func take(_ argument: String) throws(CommandFailure) {
      if command.body == nil {
        if parsed.path.isEmpty, argument == "help" {
          wantsHelp = true
        } else if let next = command.subcommands.first(where: { $0.name == argument }) {
          command = next
          parsed.path.append(argument)
          if !next.isAvailable, next.subcommands.isEmpty {
            // Whatever else is said, the answer is the same.
            if !rest.contains("--help"), !rest.contains("-h") { throw .notYet(commandLine) }
            rest = []
            wantsHelp = true
          }
        } else if !command.isAvailable {
          throw .notYet(commandLine)
        } else {
          let near = NearestName.of(argument, among: command.subcommands.map(\.name))
          let hint = near.map { "did you mean `\((["martlet"] + parsed.path + [$0]).joined(separator: " "))`?" }
          let ask = parsed.path.isEmpty ? "to ask something, use `martlet run PROMPT`" : nil
          throw usage("there is no command \(argument.quotedShort)" + ((hint ?? ask).map { "; " + $0 } ?? ""))
        }
      } else if parsed.positionals.count == command.arguments.count {
        let last = command.arguments.last
        throw usage(
          "unexpected argument \(argument.quotedShort)" + (last.map { "; put quotes around \($0.name)" } ?? ""))
      } else {
        parsed.positionals.append(argument)
      }
    }

    private mutating func readLong(_ text: Substring) throws(CommandFailure) {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      let option = try find("--" + name) { $0.name == name }
      if option.takesValue {
        try add(option, parts.count > 1 ? String(parts[1]) : try nextValue(of: option))
      } else if parts.count > 1 {
        throw usage("--\(name) takes no value")
      } else {
        try add(option, "")
      }
    }

    private mutating func readShort(_ text: Substring) throws(CommandFailure) {
      var text = text
      while let letter = text.popFirst() {
        let option = try find("-\(letter)") { $0.short == letter }
        if option.takesValue {
          if text.first == "=" { text.removeFirst() }
          try add(option, text.isEmpty ? try nextValue(of: option) : String(text))
          return
        }
        try add(option, "")
      }
    }

    private func find(_ written: String, _ matches: (OptionSpec) -> Bool) throws(CommandFailure) -> OptionSpec {
      let options = command.options + CommandSpec.everywhere
      if let option = options.first(where: matches) { return option }
      if !command.isAvailable { throw .notYet(commandLine) }
      let near = NearestName.of(written, among: options.map { "--" + $0.name })
      throw usage("there is no option \(written.quotedShort)" + (near.map { "; did you mean \($0)?" } ?? ""))
    }

    private mutating func nextValue(of option: OptionSpec) throws(CommandFailure) -> String {
      guard let value = rest.popFirst() else { throw usage("--\(option.name) takes \(option.expected)") }
      return value
    }

    private mutating func add(_ option: OptionSpec, _ value: String) throws(CommandFailure) {
      switch option.name {
      case GlobalOptions.help.spec.name: wantsHelp = true
      case GlobalOptions.version.spec.name: wantsVersion = true
      default:
        guard option.isAvailable else { throw .notYet("--\(option.name)") }
        guard option.accepts(value) else { throw usage(option.complaint(about: value)) }
        parsed.add(value, to: option)
      }
    }
  }
}

extension String {
  var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
