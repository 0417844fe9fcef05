import Martlet
import MartletJSON
import Testing

@Suite struct ToolCallParserTests {
  private static let reporting = ToolCallParser.Options(reportsMarkup: true)

  @Test(arguments: DialectSample.all)
  func `a turn is read as its dialect means it`(_ sample: DialectSample) {
    let turn = parse(sample.input, sample.dialect)
    #expect(turn.text == sample.text)
    #expect(turn.thinking == sample.thinking)
    #expect(turn.calls == sample.calls)
    #expect(turn.violations == [])
    #expect(turn.startedNames == sample.calls.map(\.name))
  }

  @Test(arguments: DialectSample.all.filter(\.isUnambiguous))
  func `what is unambiguous is read without knowing the dialect`(_ sample: DialectSample) {
    let turn = parse(sample.input, .auto)
    #expect(turn.text == sample.text)
    #expect(turn.thinking == sample.thinking)
    #expect(turn.calls == sample.calls)
  }

  @Test(arguments: DialectSample.all)
  func `cutting the stream anywhere changes nothing`(_ sample: DialectSample) {
    for dialect in [sample.dialect, .auto] {
      let whole = parse(sample.input, dialect, options: Self.reporting)
      #expect(whole.source == sample.input)
      let count = sample.input.utf8.count
      for cut in 0...count {
        let turn = parse(sample.input, dialect, cuts: [cut], options: Self.reporting)
        #expect(turn == whole, "cut at \(cut)")
      }
      #expect(parse(sample.input, dialect, cuts: 1..<max(count, 1), options: Self.reporting) == whole, "byte by byte")
    }
  }

  @Test(arguments: DialectSample.all)
  func `previews add up to the arguments or show nothing`(_ sample: DialectSample) throws {
    let turn = parse(sample.input, sample.dialect, cuts: 1..<sample.input.utf8.count)
    for (preview, call) in zip(turn.previews, turn.calls) where !preview.isEmpty {
      guard case .object(let arguments) = call.arguments else { continue }
      #expect(try JSONValue(parsing: preview) == .object(arguments))
    }
  }
}
