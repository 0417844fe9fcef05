import BenchmarkKit
import Foundation
import MartletJSON

@main enum JSONBench {
  static func main() throws {
    let sections: [(name: String, run: () throws -> Void)] = [
      ("events", events), ("typed", typed), ("write", write), ("partial", partial), ("large", large),
    ]
    let wanted = CommandLine.arguments.dropFirst()
    for section in sections where wanted.isEmpty || wanted.contains(section.name) { try section.run() }
  }

  static func events() throws {
    for (name, text) in [("a text delta", Samples.delta), ("a completion chunk", Samples.chunk)] {
      let bytes = Array(text.utf8)
      let data = Data(bytes)
      let decoder = JSONDecoder()
      var table = Benchmark("Read \(name) of \(bytes.count) bytes to a dynamic value")
      table.add("JSONReader", bytes: bytes.count) { use(try JSONValue(parsing: bytes)) }
      table.add("JSONDecoder", bytes: bytes.count) { use(try decoder.decode(FoundationValue.self, from: data)) }
      table.add("JSONSerialization", bytes: bytes.count) { use(try JSONSerialization.jsonObject(with: data)) }
      try table.run()
    }
  }

  static func typed() throws {
    try typed("a text delta", Samples.Delta.self, Samples.delta)
    try typed("a completion chunk", Samples.Chunk.self, Samples.chunk)
  }

  private static func typed<T: Codable>(_ name: String, _ type: T.Type, _ text: String) throws {
    let bytes = Array(text.utf8)
    let data = Data(bytes)
    let foundationDecoder = JSONDecoder()
    let decoder = JSONTextDecoder()
    var decode = Benchmark("Decode \(name) to a struct")
    decode.add("JSONTextDecoder") { use(try decoder.decode(T.self, from: bytes)) }
    decode.add("JSONDecoder") { use(try foundationDecoder.decode(T.self, from: data)) }
    try decode.run()

    let value = try decoder.decode(T.self, from: bytes)
    let foundationEncoder = JSONEncoder()
    let encoder = JSONTextEncoder()
    var encode = Benchmark("Encode \(name) from a struct")
    encode.add("JSONTextEncoder") { use(try encoder.encode(value)) }
    encode.add("JSONEncoder") { use(try foundationEncoder.encode(value)) }
    try encode.run()
  }

  static func write() throws {
    for (name, text) in [("a text delta", Samples.delta), ("a completion chunk", Samples.chunk)] {
      let value = try JSONValue(parsing: text)
      let foundationValue = try JSONDecoder().decode(FoundationValue.self, from: Data(text.utf8))
      let object = try JSONSerialization.jsonObject(with: Data(text.utf8))
      let encoder = JSONEncoder()
      var table = Benchmark("Write \(name) from a dynamic value")
      table.add("JSONWriter", bytes: text.utf8.count) { use(value.bytes()) }
      table.add("JSONWriter, canonical", bytes: text.utf8.count) { use(value.bytes(.canonical)) }
      table.add("JSONEncoder", bytes: text.utf8.count) { use(try encoder.encode(foundationValue)) }
      table.add("JSONSerialization", bytes: text.utf8.count) { use(try JSONSerialization.data(withJSONObject: object)) }
      try table.run()
    }
  }

  static func partial() throws {
    for size in [10_000, 100_000, 1_000_000] {
      let text = #"{"path":"a.txt","content":""# + String(repeating: #"word \"é\"\n"#, count: size / 12) + #""}"#
      let bytes = Array(text.utf8)
      var table = Benchmark(
        "Read arguments of \(bytes.count) bytes in pieces, with the value after each", samples: 5)
      table.add("PartialJSON, whole", bytes: bytes.count) {
        var partial = PartialJSON()
        try partial.append(bytes)
        use(try partial.finish())
      }
      for piece in [1_000, 16, 4, 1] {
        table.add("PartialJSON, \(piece) bytes each", bytes: bytes.count) {
          var partial = PartialJSON()
          for start in stride(from: 0, to: bytes.count, by: piece) {
            try partial.append(bytes[start..<min(bytes.count, start + piece)])
            use(partial.value)
          }
          use(try partial.finish())
        }
      }
      try table.run()
    }
  }

  static func large() throws {
    for (name, document) in LargeDocument.all {
      for size in [1_000_000, 10_000_000, 100_000_000] {
        let bytes = document(size)
        let data = Data(bytes)
        var table = Benchmark("\(name), \(bytes.count / 1_000_000) MB", samples: 2, sampleTime: .zero)
        let options = JSONReader.Options()
        var value: JSONValue?
        table.add("JSONReader", bytes: bytes.count) { value = try? JSONValue(parsing: bytes, options: options) }
        if size < 100_000_000 {
          table.add("JSONSerialization", bytes: bytes.count) { use(try? JSONSerialization.jsonObject(with: data)) }
        }
        try table.run()
        if let value {
          var table = Benchmark("  written", samples: 2, sampleTime: .zero)
          table.add("JSONWriter", bytes: bytes.count) { use(value.bytes()) }
          try table.run()
        }
      }
    }
  }
}
