import MartletCrypto
import Testing

@Suite struct RandomBytesTests {
  @Test func `as many as asked for, and not the same twice`() {
    #expect(RandomBytes.make(count: 0).isEmpty)
    let (first, second) = (RandomBytes.make(count: 32), RandomBytes.make(count: 32))
    #expect(first.count == 32 && second.count == 32)
    #expect(first != second)
  }
}
