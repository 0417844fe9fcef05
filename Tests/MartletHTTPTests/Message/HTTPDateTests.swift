import MartletHTTP
import Testing

@Suite struct HTTPDateTests {
  @Test(arguments: [
    ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
    ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777), ("Sun Nov  6 08:49:37 1994", 784_111_777),
    ("Thu, 29 Feb 2024 23:59:59 GMT", 1_709_251_199), ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
  ])
  func `the three forms are read`(_ text: String, _ seconds: Int) {
    #expect(HTTPDate(text)?.secondsSince1970 == seconds)
  }

  @Test(arguments: [
    "", "x", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 06 Foo 1994 08:49:37 GMT",
    "Sun, 32 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:49 GMT",
    "Sun, 06 Nov 99999999999999999999 08:49:37 GMT", "Sun, +6 Nov 1994 08:49:37 GMT",
  ])
  func `anything else is no date`(_ text: String) { #expect(HTTPDate(text) == nil) }

  @Test func `random changes of a date are a date within its years or none`() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededRandom(seed)
    let forms = ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"]
    for _ in 0..<5_000 {
      var text = Array((forms.randomElement(using: &random) ?? "").unicodeScalars)
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        guard let index = text.indices.randomElement(using: &random) else { break }
        switch Int.random(in: 0..<3, using: &random) {
        case 0: text.remove(at: index)
        case 1: text.insert(text[index], at: index)
        default: text[index] = ["0", "9", ":", " ", "-", ",", "é", "٣"].randomElement(using: &random) ?? "0"
        }
      }
      var changed = ""
      changed.unicodeScalars.append(contentsOf: text)
      if let date = HTTPDate(changed) {
        // Days that a month does not have and a leap second are let through, as the server meant something near.
        #expect((0...253_405_000_000).contains(date.secondsSince1970), "seed \(seed): \(changed)")
      }
    }
  }
}
