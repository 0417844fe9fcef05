/// What `${…}` in a configuration of servers stands for: `${NAME}` and `${env:NAME}` an environment variable,
/// `${NAME:-text}` the text where there is none, `${workspaceFolder}` the working directory, `${userHome}` the home directory.
public struct MCPVariables: Sendable {
  private let environment: [String: String]
  private let directory: String

  /// The variables of an environment and an absolute directory.
  public init(environment: [String: String], directory: String) {
    self.environment = environment
    self.directory = directory
  }

  func expand(_ text: String) throws(MCPServerList.Unusable) -> String {
    var result = ""
    var rest = text[...]
    while let start = rest.firstRange(of: "${") {
      result += rest[..<start.lowerBound]
      rest = rest[start.upperBound...]
      guard let end = rest.firstIndex(of: "}") else {
        return result + "${" + rest
      }
      result += try value(of: rest[..<end])
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }

  func path(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    if path == "~" || path.hasPrefix("~/"), let home = environment["HOME"] { return home + path.dropFirst() }
    return directory + "/" + path
  }

  private func value(of expression: Substring) throws(MCPServerList.Unusable) -> String {
    var name = expression
    var fallback: Substring?
    if let range = expression.firstRange(of: ":-") {
      name = expression[..<range.lowerBound]
      fallback = expression[range.upperBound...]
    }
    switch name {
    case "workspaceFolder", "cwd": return directory
    case "workspaceFolderBasename": return directory.split(separator: "/").last.map(String.init) ?? ""
    case "userHome": name = "HOME"
    case "pathSeparator", "/": return "/"
    default:
      if name.hasPrefix("env:") { name = name.dropFirst(4) }
      if name.hasPrefix("input:") {
        throw MCPServerList.Unusable(
          reason: "it asks for ${\(name.prefix(60))}, and inputs are not asked for here; use an environment variable")
      }
    }
    if let value = environment[String(name)], !value.isEmpty || fallback == nil { return value }
    guard let fallback else {
      throw MCPServerList.Unusable(reason: "the environment variable \(name.prefix(60)) that it needs is not set")
    }
    return String(fallback)
  }
}
