import Testing

@testable import MartletCLI

@Suite struct `words of the command line` {
  @Test(arguments: [
    ("90", Duration.seconds(90)), ("90s", .seconds(90)), ("5m", .seconds(300)), ("1h30m", .seconds(5400)),
    ("500ms", .milliseconds(500)), ("1.5h", .seconds(5400)), ("1d", .seconds(86_400)),
  ])
  func `durations are read`(_ text: String, _ duration: Duration) {
    #expect(DurationText.parse(text) == duration)
  }

  @Test(arguments: ["", "0", "-5", "5x", "m", "1h-3m", "5 m", "1e9999s", "٣s", "0s"])
  func `other texts are no durations`(_ text: String) {
    #expect(DurationText.parse(text) == nil)
  }

  @Test(arguments: [(0.4, "<1 ms"), (12.0, "12 ms"), (1234, "1.2 s"), (125_000, "2 m 5 s")])
  func `durations are shown short`(_ milliseconds: Double, _ text: String) {
    #expect(DurationText.short(milliseconds: milliseconds) == text)
  }

  @Test(arguments: [
    ("modle", "model"), ("chta", "chat"), ("run", "run"), ("RUN", "run"), ("doctr", "doctor"),
  ])
  func `the nearest name is found`(_ written: String, _ name: String) {
    #expect(NearestName.of(written, among: ["model", "chat", "run", "doctor"]) == name)
  }

  @Test func `nothing is suggested for what is like nothing`() {
    #expect(NearestName.of("xyzzy", among: ["model", "chat", "run"]) == nil)
    #expect(NearestName.of("", among: ["model"]) == nil)
    #expect(NearestName.of("x", among: []) == nil)
  }

  @Test(arguments: [
    ("", "''"), ("read_*", "'read_*'"), ("shell(git status)", "'shell(git status)'"), ("a'b", "'a'\\''b'"),
    ("sqlite:/a/b.db", "sqlite:/a/b.db"), ("$(x)", "'$(x)'"),
  ])
  func `words are quoted for a shell`(_ word: String, _ quoted: String) { #expect(word.shellWord == quoted) }

  @Test(arguments: [
    ("local", ModelReference.local), ("local:smollm2-135m", .localNamed("smollm2-135m")),
    ("local:/m/x.gguf", .localFile(path: "/m/x.gguf")), ("local:x.gguf", .localFile(path: "x.gguf")),
    ("anthropic/claude", .provider("anthropic", id: "claude")),
    ("ollama/org/model:7b", .provider("ollama", id: "org/model:7b")),
  ])
  func `models are named`(_ text: String, _ reference: ModelReference) throws {
    #expect(try ModelReference(text) == reference)
  }
}
