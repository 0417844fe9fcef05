import MartletProcess

/// The environment of commands that a model writes: the program's own without what is secret, and set for use without a
/// terminal.
enum ShellEnvironment {
  static func make(from environment: [String: String]) -> [String: String] {
    var result = environment.filter { !isSecret(name: $0.key, value: $0.value) }
    // No pager waits for a key, no prompt for a password, no colours cost tokens.
    result["PAGER"] = "cat"
    result["GIT_PAGER"] = "cat"
    result["GIT_TERMINAL_PROMPT"] = "0"
    result["TERM"] = "dumb"
    result["NO_COLOR"] = "1"
    return result
  }

  /// Whether a variable looks like a key, a token or a password, by its name or by a password in its URL.
  static func isSecret(name: String, value: String) -> Bool {
    let parts = name.uppercased().split(separator: "_").map(String.init)
    let words: Set = [
      "TOKEN", "TOKENS", "SECRET", "SECRETS", "PASSWORD", "PASSWORDS", "PASSWD", "PASS", "PWD", "PASSPHRASE",
      "CREDENTIAL", "CREDENTIALS", "APIKEY", "AUTH", "KEY", "KEYS", "COOKIE", "JWT", "PAT",
    ]
    if parts.count == 1 {
      // PWD is where one is.
      return parts[0] != "PWD" && words.contains(parts[0])
        || ["APIKEY", "TOKEN", "SECRET", "PASSWORD"].contains { parts[0].hasSuffix($0) }
    }
    if name != "OLDPWD", parts.last.map(words.contains) ?? false { return true }
    if parts.contains(where: { ["SECRET", "PASSWORD", "TOKEN", "PASSPHRASE", "CREDENTIALS"].contains($0) }) {
      return true
    }
    for pair in zip(parts, parts.dropFirst()) where pair.1 == "KEY" && ["API", "ACCESS", "PRIVATE"].contains(pair.0) {
      return true
    }
    return hasPassword(url: value)
  }

  /// "postgres://user:password@host".
  private static func hasPassword(url: String) -> Bool {
    guard let separator = url.firstRange(of: "://") else { return false }
    let authority = url[separator.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    guard let at = authority.lastIndex(of: "@") else { return false }
    return authority[..<at].contains(":")
  }
}
