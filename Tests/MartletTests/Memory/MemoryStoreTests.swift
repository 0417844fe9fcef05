import Foundation
import MartletTesting
import Testing

@testable import Martlet

@Suite struct `A memory in a file` {
  let directory: TemporaryDirectory
  let store: MemoryStore

  init() throws {
    directory = try TemporaryDirectory()
    store = MemoryStore(path: directory.path + "/deep/memory.md")
  }

  @Test func `is empty before the first note and makes no file`() throws {
    #expect(try store.notes() == "")
    #expect(try store.recall("anything").isEmpty)
    #expect(try directory.names.isEmpty)
  }

  @Test func `keeps notes as a list that only the user can read`() async throws {
    #expect(try await store.remember("Likes tea."))
    #expect(try await store.remember("  Lives in Oslo.\n"))
    #expect(try directory.read("deep/memory.md") == "- Likes tea.\n- Lives in Oslo.\n")
    #expect(try store.notes() == "- Likes tea.\n- Lives in Oslo.")
    #expect(try directory.mode("deep/memory.md") == 0o600)
    #expect(try directory.mode("deep") == 0o700)
  }

  @Test func `keeps what the user wrote by hand as it is`() async throws {
    let text = "# About me\r\n\r\nI write by hand.\r\n\n* a star\n  goes on\n\n## Later\n"
    try directory.write("deep/memory.md", text)
    try await store.remember("new")
    #expect(
      try directory.read("deep/memory.md")
        == text + "- new\n")
    #expect(try store.recall("") == ["new", "a star\ngoes on", "I write by hand."])
    #expect(try await store.forget("star goes on") == "a star\ngoes on")
    #expect(try directory.read("deep/memory.md") == "# About me\r\n\r\nI write by hand.\r\n\n\n## Later\n- new\n")
  }

  @Test func `the same note is kept once`() async throws {
    #expect(try await store.remember("Likes tea."))
    #expect(try await store.remember("likes  TEA.") == false)
    #expect(try store.recall("").count == 1)
  }

  @Test func `lines of a note cannot pass for other notes`() async throws {
    try await store.remember("one\n- two\r# three\u{2028}\u{1B}[31mfour\u{0}")
    #expect(try directory.read("deep/memory.md") == "- one\n  - two\n  # three\n  [31mfour\n")
    #expect(try store.recall("").count == 1)
    try await store.forget("one")
    #expect(try store.notes() == "")
  }

  @Test func `recall finds by words and their beginnings, best first, the latest first among equals`() async throws {
    for note in [
      "Prefers tea to coffee", "The cat is called Ida", "Coffee only on Mondays", "Ida dislikes tea and coffee",
    ] {
      try await store.remember(note)
    }
    #expect(
      try store.recall("ida tea") == ["Ida dislikes tea and coffee", "The cat is called Ida", "Prefers tea to coffee"])
    #expect(
      try store.recall("COFF Monday") == [
        "Coffee only on Mondays", "Ida dislikes tea and coffee", "Prefers tea to coffee",
      ])
    #expect(try store.recall("dog").isEmpty)
  }

  @Test func `forgetting needs one note that is meant`() async throws {
    for note in ["tea", "tea at five", "coffee at nine"] { try await store.remember(note) }
    #expect(try await store.forget("Tea") == "tea")
    #expect(try await store.forget("nine") == "coffee at nine")
    for text in ["milk", "", "  "] { await #expect(throws: MemoryError.self) { try await store.forget(text) } }
    try await store.remember("tea at six")
    let error = await #expect(throws: MemoryError.self) { try await store.forget("tea at") }
    #expect(error?.code == .notFound)
    #expect(error?.message.contains("2 notes") == true)
    #expect(try store.recall("").count == 2)
  }

  @Test func `a full memory says so and stays as it is`() async throws {
    let store = MemoryStore(path: directory.path + "/small.md", limit: 40)
    try await store.remember("a note that nearly fills it up")
    let before = try directory.read("small.md")
    let error = await #expect(throws: MemoryError.self) { try await store.remember("one more") }
    #expect(error?.code == .full)
    #expect(error?.message.contains("33 of 40 bytes") == true, "\(String(describing: error))")
    #expect(try directory.read("small.md") == before)
    let long = await #expect(throws: MemoryError.self) {
      try await store.remember(String(repeating: "x", count: 3_000))
    }
    #expect(long?.code == .full)
    await #expect(throws: MemoryError.self) { try await store.remember(" \n\t") }
  }

  @Test func `a file that is no text is neither read nor overwritten`() async throws {
    let bytes: [UInt8] = [0x2D, 0x20, 0xFF, 0xFE, 0x0A]
    try directory.write("deep/memory.md", bytes)
    #expect(throws: MemoryError.self) { try store.notes() }
    await #expect(throws: MemoryError.self) { try await store.remember("x") }
    #expect(try Array(Data(contentsOf: URL(filePath: store.path))) == bytes)
  }

  @Test func `a file that is too large to be read whole is not cut by a change`() async throws {
    let line = "- \(String(repeating: "é", count: 500))\n"
    let text = "- out of date\n" + String(repeating: line, count: (4 << 20) / line.utf8.count + 3)
    try directory.write("deep/memory.md", text)
    #expect(try !store.notes().isEmpty)
    let error = await #expect(throws: MemoryError.self) { try await store.forget("out of date") }
    #expect(error?.code == .full)
    #expect(try directory.read("deep/memory.md") == text)
  }

  @Test func `a directory in its place is an error with a reason`() async throws {
    try FileManager.default.createDirectory(atPath: store.path, withIntermediateDirectories: true)
    let error = await #expect(throws: MemoryError.self) { try await store.remember("x") }
    #expect(error?.code == .storage)
    #expect(error?.message.contains("directory") == true, "\(String(describing: error))")
  }

  @Test func `a memory that is a link stays one`() async throws {
    try directory.write("elsewhere/notes.md", "- old\n")
    try directory.link("memory.md", to: directory.path + "/elsewhere/notes.md")
    try await MemoryStore(path: directory.path + "/memory.md").remember("new")
    #expect(try directory.read("elsewhere/notes.md") == "- old\n- new\n")
    #expect(try directory.names == ["elsewhere", "memory.md"])
  }

  @Test func `many writers at once lose no note, and readers see whole notes only`() async throws {
    var patient = store
    // However busy the machine is.
    patient.patience = .seconds(600)
    let store = patient
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<8 {
        group.addTask {
          for count in 0..<10 { try await store.remember("writer \(writer) note \(count) end") }
        }
      }
      group.addTask {
        for _ in 0..<200 {
          for note in try MemoryNotes(store.notes()).notes { #expect(note.text.hasSuffix(" end")) }
          await Task.yield()
        }
      }
      try await group.waitForAll()
    }
    #expect(try store.recall("").count == 80)
    #expect(try directory.names == ["deep"])
  }

  @Test func `another process that never stops writing is named as the reason`() async throws {
    try await store.remember("first")
    let lock = try StorageFile(store.path + ".lock", create: true)
    #expect(try lock.lock())
    var impatient = store
    impatient.patience = .zero
    let patient = impatient
    let error = await #expect(throws: MemoryError.self) { try await patient.remember("second") }
    #expect(error?.code == .busy)
    let notes = try withExtendedLifetime(lock) { try store.notes() }
    #expect(notes == "- first")
  }

  @Test func `a cancelled task writes nothing`() async throws {
    let store = store
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      _ = try await store.remember("never")
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try store.notes() == "")
  }

  @Test(arguments: 0..<20 as Range<UInt64>) func `any text is read, and what is remembered is found`(seed: UInt64)
    async throws
  {
    var random = SeededGenerator(seed: seed)
    let parts = ["- ", "* a", "#", " ", "\n", "\r\n", "\t", "x", "é", "- b\n  c", "\u{FEFF}", "日本", "  "]
    let text = (0..<Int.random(in: 0..<60, using: &random)).map { _ in random.pick(parts) }.joined()
    try directory.write("deep/memory.md", text)
    let before = try store.recall("").count
    _ = try await store.remember("planted\nnote \(seed)")
    #expect(try store.recall("planted").first == "planted\nnote \(seed)", "seed \(seed)")
    #expect(try store.recall("").count == before + 1, "seed \(seed)")
    try await store.forget("planted note \(seed)")
    #expect(try store.recall("").count == before, "seed \(seed)")
  }
}
