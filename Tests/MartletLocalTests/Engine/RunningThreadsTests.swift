import Testing

@testable import MartletLocal

@Suite struct RunningThreadsTests {
  @Test(arguments: [
    ("0.97 3.84 3.50 2/84 21999\n", 2), ("0.00 0.00 0.00 13/900 1", 13), ("", nil), ("0.97 3.84 3.50", nil),
    ("a b c d e", nil),
  ])
  func `what runs is read from what Linux tells of its load`(_ text: String, _ count: Int?) {
    #expect(RunningThreads.count(in: text) == count)
  }

  #if os(Linux)
    @Test func `whoever asks runs`() throws {
      #expect(try #require(RunningThreads.count) >= 1)
    }
  #endif
}
