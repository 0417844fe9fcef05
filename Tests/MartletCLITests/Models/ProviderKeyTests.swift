import Foundation
import MartletProviders
import Testing

@testable import MartletCLI

@Suite struct `keys of providers` {
  let home: TemporaryDirectory
  static let provider = ModelProvider("anthropic", "Anthropic", keyVariables: ["ANTHROPIC_API_KEY", "CLAUDE_KEY"]) {
    _ in
    fatalError("no model is made here")
  }

  init() throws { home = try TemporaryDirectory() }

  private func finder(_ settings: ProviderSettings = ProviderSettings(), _ environment: [String: String] = [:])
    -> ProviderKey
  {
    let environment = ["HOME": home.path].merging(environment) { $1 }
    return ProviderKey(
      provider: Self.provider, settings: settings, places: Places(directory: home.path, environment: environment),
      environment: environment)
  }

  private func write(_ name: String, _ text: String, mode: Int) throws {
    let path = try home.write(name, text)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }

  @Test func `no key is no error, and the advice says where to put one`() throws {
    #expect(try finder().find() == nil)
    #expect(
      finder().advice
        == "set ANTHROPIC_API_KEY, or write it into ~/.config/martlet/keys/anthropic and chmod that file to 600")
  }

  @Test func `the environment goes before the file, and the first variable before the second`() throws {
    try write(".config/martlet/keys/anthropic", "from-file\n", mode: 0o600)
    #expect(try finder().find()?.key.value == "from-file")
    #expect(try finder(.init(), ["CLAUDE_KEY": "two"]).find()?.key.value == "two")
    #expect(try finder(.init(), ["CLAUDE_KEY": "two", "ANTHROPIC_API_KEY": "one"]).find()?.key.value == "one")
    #expect(try finder(.init(), ["ANTHROPIC_API_KEY": " \n"]).find()?.key.value == "from-file")
  }

  @Test func `a place that is named counts alone`() throws {
    var settings = ProviderSettings()
    settings.keyVariable = "MINE"
    #expect(try finder(settings, ["MINE": "mine", "ANTHROPIC_API_KEY": "one"]).find()?.key.value == "mine")
    #expect(throws: CommandFailure.self) { try finder(settings, ["ANTHROPIC_API_KEY": "one"]).find() }
    settings = ProviderSettings()
    settings.keyFile = "mine.key"
    #expect(throws: CommandFailure.self) { try finder(settings, ["ANTHROPIC_API_KEY": "one"]).find() }
    try write("mine.key", "mine", mode: 0o400)
    #expect(try finder(settings, ["ANTHROPIC_API_KEY": "one"]).find()?.key.value == "mine")
  }

  @Test(arguments: [0o644, 0o640, 0o604, 0o660, 0o622])
  func `a file that is open to others is refused with what to do`(_ mode: Int) throws {
    try write(".config/martlet/keys/anthropic", "secret-key", mode: mode)
    let failure = #expect(throws: CommandFailure.self) { try finder().find() }
    #expect(failure?.message.contains("~/.config/martlet/keys/anthropic is open to others") == true)
    #expect(failure?.message.contains("chmod 600") == true)
    #expect(failure?.message.contains("secret") == false)
  }

  @Test(arguments: ["", " \n", "two keys", "line\nline", "k\u{e9}y"])
  func `a file with anything but one key is refused without showing it`(_ text: String) throws {
    try write(".config/martlet/keys/anthropic", text, mode: 0o600)
    let failure = #expect(throws: CommandFailure.self) { try finder().find() }
    #expect(failure?.message.hasSuffix("must hold the key and nothing else") == true)
  }

  @Test func `doctor says where a key is from and never what it is`() async throws {
    var program = try Program()
    program.environment["ANTHROPIC_API_KEY"] = "sk-ant-secret"
    let outcome = try await program.run(["doctor"])
    #expect(outcome.output.contains("from ANTHROPIC_API_KEY"), "\(outcome.output)")
    #expect(!(outcome.output + outcome.error).contains("secret"))
  }
}
