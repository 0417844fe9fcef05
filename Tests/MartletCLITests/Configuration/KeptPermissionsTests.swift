import Foundation
import Martlet
import MartletJSON
import Testing

@testable import MartletCLI

@Suite struct `rules that are kept` {
  let home: TemporaryDirectory

  init() throws { home = try TemporaryDirectory() }

  private var places: Places {
    Places(
      directory: home.path + "/project", environment: ["HOME": home.path, "MARTLET_DATA": home.path + "/data"])
  }

  private func read(_ path: String) throws -> JSONValue {
    try JSONValue(parsing: try FileAccess.read(home.path + "/" + path))
  }

  private func settings() async throws -> (settings: Settings, notes: String) {
    let memory = Console.inMemory()
    let context = CommandContext(
      console: memory.console, input: LineInput(descriptor: -1),
      environment: ["HOME": home.path, "MARTLET_DATA": home.path + "/data"], directory: home.path + "/project",
      models: StandardModelCatalog(), tools: StandardToolCatalog())
    let reader = try await ConfigurationLoader(context: context, places: context.places).load(ParsedArguments())
    return (try Settings(reader), memory.error.text)
  }

  @Test func `stand in the user's file, which stays what it was and is the user's alone`() async throws {
    try home.write(
      ".config/martlet/config.json",
      #"{"model": "ollama/x", "permissions": {"deny": ["rm"], "allow": "read_*,grep"}, "z": 1.50}"#)
    let kept = KeptPermissions(places: places, isProjectTrusted: true)
    #expect(kept.scopes == [.project, .user])
    for _ in 0..<2 { try await kept.keep(try PermissionRule("shell(git status)"), .allow, for: .user) }
    let file = try read(".config/martlet/config.json")
    #expect(
      file.text()
        == #"{"model":"ollama/x","permissions":{"deny":["rm"],"allow":["read_*","grep","shell(git status)"]},"z":1.50}"#
    )
    #expect(FileAccess.mode(home.path + "/.config/martlet/config.json") == 0o600)
    #expect(kept.rules.allow.map(\.text) == ["shell(git status)"])
    #expect(try await settings().settings.approval.rules.allow.map(\.text) == ["read_*", "grep", "shell(git status)"])
    #expect(!home.exists("project/.martlet"))
  }

  @Test func `wait for another process only as long as there is patience`() async throws {
    try home.write("shared/file", "")
    let directory = home.path + "/shared"
    let descriptor = open(directory, O_RDONLY)
    #expect(flock(descriptor, LOCK_EX) == 0)
    await #expect(throws: FileAccess.Failure.self) {
      try await FileAccess.locked(directory, patience: .milliseconds(10)) {}
    }
    #expect(flock(descriptor, LOCK_UN) == 0)
    close(descriptor)
    #expect(try await FileAccess.locked(directory, patience: .zero) { 1 } == 1)
  }

  @Test func `make the file where there is none`() async throws {
    let kept = KeptPermissions(places: places, isProjectTrusted: true)
    try await kept.keep(try PermissionRule("shell"), .deny, for: .user)
    #expect(try read(".config/martlet/config.json") == ["permissions": ["deny": ["shell"]]])
    #expect(FileAccess.mode(home.path + "/.config/martlet/config.json") == 0o600)
    #expect(FileAccess.mode(home.path + "/.config/martlet") == 0o700)
  }

  @Test func `follow a link to where the file is`() async throws {
    try home.write("dotfiles/martlet.json", "{}")
    try home.write(".config/martlet/other", "")
    try FileManager.default.createSymbolicLink(
      atPath: home.path + "/.config/martlet/config.json", withDestinationPath: home.path + "/dotfiles/martlet.json")
    try await KeptPermissions(places: places, isProjectTrusted: true).keep(try PermissionRule("x"), .allow, for: .user)
    #expect(try read("dotfiles/martlet.json") == ["permissions": ["allow": ["x"]]])
  }

  @Test func `of a project are trusted with the file they are in`() async throws {
    try home.write("project/notes", "")
    let kept = KeptPermissions(places: places, isProjectTrusted: true)
    try await kept.keep(try PermissionRule("shell(make)"), .allow, for: .project)
    let (settings, notes) = try await settings()
    #expect(settings.approval.rules.allow.map(\.text) == ["shell(make)"])
    #expect(notes == "")
    // Changed by somebody else, it is not the file that was trusted.
    try home.write("project/.martlet/config.json", #"{"permissions": {"allow": ["shell(make)", "shell"]}}"#)
    let changed = try await self.settings()
    #expect(changed.settings.approval.rules.allow.isEmpty)
    #expect(changed.notes.contains("is not trusted"))
    // Nor does a rule of the user's make it so.
    await #expect(throws: KeptPermissions.Failure.self) {
      try await kept.keep(try PermissionRule("grep"), .allow, for: .project)
    }
    #expect(try await self.settings().settings.approval.rules.allow.isEmpty)
  }

  @Test func `are not offered for a project that is not trusted, or is the user's own`() throws {
    #expect(KeptPermissions(places: places, isProjectTrusted: false).scopes == [.user])
    try home.write(".config/martlet/config.json", "{}")
    try FileManager.default.createSymbolicLink(
      atPath: home.path + "/.martlet", withDestinationPath: home.path + "/.config/martlet")
    let places = Places(directory: home.path, environment: ["HOME": home.path])
    #expect(KeptPermissions(places: places, isProjectTrusted: true).scopes == [.user])
    let nowhere = Places(directory: home.path, environment: [:])
    #expect(KeptPermissions(places: nowhere, isProjectTrusted: true).scopes.isEmpty)
  }

  @Test func `of several that are kept at once are all there`() async throws {
    let places = places
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<20 {
        group.addTask {
          try await KeptPermissions(places: places, isProjectTrusted: true)
            .keep(try PermissionRule("tool_\(index)"), .allow, for: .user)
        }
      }
      try await group.waitForAll()
    }
    let rules = try read(".config/martlet/config.json")["permissions"]?["allow"]?.arrayValue ?? []
    #expect(Set(rules.compactMap(\.stringValue)) == Set((0..<20).map { "tool_\($0)" }))
  }

  @Test(arguments: [#"{"permissions": []}"#, #"{"permissions": {"allow": ["shell("]}}"#, "{", "[]"])
  func `do not go into a file that cannot be read, which stays as it is`(_ text: String) async throws {
    try home.write(".config/martlet/config.json", text)
    let error = await #expect(throws: KeptPermissions.Failure.self) {
      try await KeptPermissions(places: places, isProjectTrusted: true).keep(
        try PermissionRule("x"), .allow, for: .user)
    }
    #expect(error?.description.contains("config.json") == true, "\(error?.description ?? "")")
    #expect(try FileAccess.read(home.path + "/.config/martlet/config.json") == Array(text.utf8))
  }
}
