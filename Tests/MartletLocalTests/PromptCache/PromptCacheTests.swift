import Foundation
import Testing

@testable import MartletLocal

@Suite struct PromptCacheTests {
  let directory: TemporaryDirectory
  let cache: PromptCache

  init() throws {
    directory = try TemporaryDirectory()
    cache = PromptCache(options: PromptCacheOptions(directory: directory.path + "/a/prompts"), identity: [1, 2, 3])
  }

  private func files(_ cache: PromptCache) -> [String] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: cache.options.directory)
    return (names ?? []).map { "\(cache.options.directory)/\($0)" }
  }

  @Test func `what was kept is found again, by another cache of the same place too`() {
    let other = PromptCache(options: cache.options, identity: cache.identity)
    #expect(other.state(after: [1, 2, 3]) == nil)
    #expect(!other.hasState(after: [1, 2, 3]))
    cache.keep(state: [9, 8, 7], after: [1, 2, 3])
    cache.keep(scores: [-0.5, 1 / 3, -.infinity], of: ["a", "b", "c"], after: [1, 2, 3])
    #expect(other.state(after: [1, 2, 3]) == [9, 8, 7])
    #expect(other.hasState(after: [1, 2, 3]))
    #expect(other.scores(of: ["a", "b", "c"], after: [1, 2, 3]) == [-0.5, 1 / 3, -.infinity])
  }

  @Test func `nothing is found for other tokens, texts, models or engines`() {
    cache.keep(state: [9], after: [1, 2, 3])
    cache.keep(scores: [1, 2], of: ["a", "b"], after: [1])
    for tokens: [Token] in [[], [1, 2], [1, 2, 4], [1, 2, 3, 4]] { #expect(cache.state(after: tokens) == nil) }
    for texts in [[], ["a"], ["b", "a"], ["ab"], ["a", "c"]] { #expect(cache.scores(of: texts, after: [1]) == nil) }
    let other = PromptCache(options: cache.options, identity: [1, 2, 4])
    #expect(other.state(after: [1, 2, 3]) == nil)
    #expect(other.scores(of: ["a", "b"], after: [1]) == nil)
  }

  @Test func `only the user may read the files and their directory`() throws {
    cache.keep(state: [9], after: [1])
    func mode(_ path: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
    #expect(try mode(cache.options.directory) == 0o700)
    #expect(try files(cache).map(mode) == [0o600])
  }

  @Test func `a damaged file is not used, and goes`() throws {
    for place in [0, 9, 41, 47, 60, 75] {
      cache.keep(state: [UInt8](repeating: 5, count: 40), after: [1])
      let path = try #require(files(cache).first)
      var bytes = Array(try #require(FileManager.default.contents(atPath: path)))
      bytes[place] ^= 1
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      #expect(cache.state(after: [1]) == nil, "byte \(place)")
      #expect(files(cache).isEmpty)
    }
  }

  @Test func `a link is not followed`() throws {
    cache.keep(state: [5], after: [1])
    let path = try #require(files(cache).first)
    try FileManager.default.moveItem(atPath: path, toPath: directory.path + "/elsewhere")
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: directory.path + "/elsewhere")
    #expect(cache.state(after: [1]) == nil)
  }

  @Test func `the files that were not used for longest go when they are too many`() throws {
    let small = PromptCache(
      options: PromptCacheOptions(directory: directory.path + "/small", maximumBytes: 4_000), identity: [1])
    func age(_ tokens: [Token], _ seconds: Double) throws {
      let path = "\(small.options.directory)/"
      let name = PromptCacheEntry.name(of: [1, 1, 0] + tokens.flatMap { GGUFBuilder.number($0) })
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: seconds)], ofItemAtPath: path + name)
    }
    for token in Token(1)...3 {
      small.keep(state: [UInt8](repeating: 1, count: 1_000), after: [token])
      try age([token], Double(token))
    }
    #expect(small.state(after: [1]) != nil)  // used: no longer the oldest
    small.keep(state: [UInt8](repeating: 1, count: 1_500), after: [4])
    #expect([1, 2, 3, 4].map { small.hasState(after: [$0]) } == [true, false, true, true])
    small.keep(state: [UInt8](repeating: 1, count: 3_000), after: [5])
    #expect(!small.hasState(after: [5]))  // too large to be worth the others
  }

  @Test func `a place that cannot be written only keeps nothing`() throws {
    try Data().write(to: URL(fileURLWithPath: directory.path + "/file"))
    let cache = PromptCache(options: PromptCacheOptions(directory: directory.path + "/file/x"), identity: [1])
    cache.keep(state: [9], after: [1])
    #expect(cache.state(after: [1]) == nil)
  }

  @Test func `an entry is its payload, or nothing when any byte differs`() {
    for seed in UInt64(1)...300 {
      var random = SplitMix64(state: seed)
      func some(_ most: Int) -> [UInt8] {
        (0..<Int.random(in: 0...most, using: &random)).map { _ in UInt8.random(in: .min ... .max, using: &random) }
      }
      let key = some(40)
      let payload = some(60)
      var bytes = PromptCacheEntry.bytes(key: key, payload: payload)
      #expect(PromptCacheEntry.payload(of: bytes, key: key).map(Array.init) == payload, "seed \(seed)")
      switch Int.random(in: 0..<4, using: &random) {
      case 0: bytes[Int.random(in: bytes.indices, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 1: bytes.removeLast(Int.random(in: 1...bytes.count, using: &random))
      case 2: bytes += some(10) + [0]
      default: bytes.insert(0x55, at: Int.random(in: bytes.indices, using: &random))
      }
      #expect(PromptCacheEntry.payload(of: bytes, key: key) == nil, "seed \(seed)")
    }
  }
}
