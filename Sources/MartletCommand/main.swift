import MartletCLI

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

let arguments = Array(CommandLine.arguments.dropFirst())
if let status = CommandLineTool.answerAtOnce(arguments) { exit(status.rawValue) }
CommandLineTool.prepare()
exit(await CommandLineTool.main(arguments).rawValue)
