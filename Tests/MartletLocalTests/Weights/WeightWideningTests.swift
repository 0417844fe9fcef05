import Testing

@testable import MartletLocal

@Suite struct WeightWideningTests {
  /// A block as its scale's bits and its 32 numbers, by the formulas of ggml's `dequantize_row_q5_0` and `…_q8_0`.
  struct Block: Equatable {
    let scale: [UInt8]
    let numbers: [Int]

    init(narrow: ArraySlice<UInt8>) {
      let bytes = Array(narrow)
      scale = Array(bytes[0..<2])
      var fifth: UInt32 = 0
      for index in 0..<4 { fifth |= UInt32(bytes[2 + index]) << (8 * UInt32(index)) }
      var low: [Int] = []
      var high: [Int] = []
      for index in 0..<16 {
        let first = ((fifth >> UInt32(index)) << 4) & 0x10
        let second = (fifth >> UInt32(index + 12)) & 0x10
        low.append(Int(UInt32(bytes[6 + index] & 0x0F) | first) - 16)
        high.append(Int(UInt32(bytes[6 + index] >> 4) | second) - 16)
      }
      numbers = low + high
    }

    init(wide: ArraySlice<UInt8>) {
      let bytes = Array(wide)
      scale = Array(bytes[0..<2])
      numbers = bytes[2..<34].map { Int(Int8(bitPattern: $0)) }
    }
  }

  static func header(_ bytes: [UInt8], window: Int = 1 << 16, step: Int = .max) throws -> GGUFHeader {
    var cursor = GGUFCursor(bytes, window: window, step: step)
    return try GGUFHeader(&cursor)
  }

  static func widened(_ bytes: [UInt8], step: Int = .max) throws -> (WeightWidening, [UInt8]) {
    let widening = WeightWidening(try header(bytes))
    var result: [UInt8] = []
    try widening.write(from: GGUFCursor.source(bytes, step: step)) { result += $0 }
    return (widening, result)
  }

  @Test func `every widened weight is the weight it was, and all else is copied`() throws {
    for seed in UInt64(1)...60 {
      var random = SplitMix64(state: seed)
      let file = GGUFBuilder.random(&random)
      let bytes = file.bytes
      let (widening, wide) = try Self.widened(bytes, step: [.max, 1000, 7][Int(seed % 3)])
      #expect(wide.count == widening.size, "seed \(seed)")
      let before = widening.header
      let after = try Self.header(wide)
      #expect(after.list == before.list && after.alignment == before.alignment, "seed \(seed)")
      #expect(wide[..<before.list.lowerBound] == bytes[..<before.list.lowerBound], "seed \(seed)")
      #expect(after.tensors.map(\.name) == file.tensors.map(\.name), "seed \(seed)")
      for (index, tensor) in file.tensors.enumerated() {
        let new = after.tensors[index]
        let data = wide[(after.dataStart + new.offset)...].prefix(new.byteCount)
        if widening.widened.contains(index) {
          #expect(tensor.type == .q50 && new.type == .q80, "seed \(seed)")
          for block in 0..<new.blocks {
            let narrow = Block(narrow: tensor.data[(22 * block)...].prefix(22))
            let wide = Block(wide: data.dropFirst(34 * block).prefix(34))
            #expect(narrow == wide, "seed \(seed), \(tensor.name), block \(block)")
          }
        } else {
          #expect(new.type == tensor.type && Array(data) == tensor.data, "seed \(seed)")
        }
      }
    }
  }

  @Test func `each of the 32 numbers of five bits keeps its value at each place of a block`() {
    for number in 0..<32 {
      var block = [UInt8](repeating: 0, count: 22)
      block[0] = 0x34
      block[1] = 0x12
      for index in 2..<6 { block[index] = number >= 16 ? 0xFF : 0 }
      for index in 6..<22 { block[index] = UInt8(number & 0xF) * 0x11 }
      var wide: [UInt8] = []
      block.withUnsafeBytes { WeightWidening.widen($0, blocks: 1, into: &wide) }
      #expect(wide == [0x34, 0x12] + [UInt8](repeating: UInt8(bitPattern: Int8(number - 16)), count: 32))
    }
  }

  @Test func `an embedding is widened only where it is the output too`() throws {
    func widened(_ names: [String]) throws -> [Bool] {
      let tensors = names.map {
        GGUFBuilder.Tensor(name: $0, type: .q50, dimensions: [32], data: [UInt8](repeating: 1, count: 22))
      }
      let widening = WeightWidening(try Self.header(GGUFBuilder(tensors: tensors).bytes))
      return names.indices.map { widening.widened.contains($0) }
    }
    #expect(try widened(["token_embd.weight", "output.weight", "blk.0.ffn_up.weight"]) == [false, true, true])
    #expect(try widened(["token_embd.weight", "blk.0.ffn_up.weight"]) == [true, true])
  }

  @Test func `widening pays only where a quarter of the bytes is multiplied as five bits`() throws {
    func pays(_ blocks: Int) throws -> Bool {
      let tensors = [
        GGUFBuilder.Tensor(
          name: "a", type: .q50, dimensions: [32 * blocks], data: [UInt8](repeating: 1, count: 22 * blocks)),
        GGUFBuilder.Tensor(name: "b", type: .f32, dimensions: [660], data: [UInt8](repeating: 1, count: 2640)),
      ]
      return WeightWidening(try Self.header(GGUFBuilder(tensors: tensors).bytes)).isWorthwhile
    }
    #expect(try pays(40))  // 880 of 3520 bytes
    #expect(try !pays(39))
    #expect(!WeightWidening(try Self.header(GGUFBuilder().bytes)).isWorthwhile)
  }

  // MARK: Hostile files

  @Test(arguments: [16, 17, 64, 1 << 16], [1, 3, 1 << 20])
  func `the header is the same through any window and in any pieces`(window: Int, step: Int) throws {
    for seed in UInt64(1)...20 {
      var random = SplitMix64(state: seed)
      let bytes = GGUFBuilder.random(&random).bytes
      #expect(try Self.header(bytes, window: window, step: step) == Self.header(bytes), "seed \(seed)")
    }
  }

  @Test func `a file that is cut anywhere is refused`() throws {
    var random = SplitMix64(state: 4)
    var file = GGUFBuilder.random(&random)
    file.alignment = 32
    file.tensors.append(.init(name: "last", type: .f32, dimensions: [8], data: [UInt8](repeating: 1, count: 32)))
    let bytes = file.bytes
    for count in bytes.indices {
      #expect(throws: GGUFError.self, "\(count) of \(bytes.count) bytes") { try Self.header(Array(bytes[..<count])) }
    }
  }

  @Test func `any bytes give an error or a header within the file, and that can be widened`() throws {
    for seed in UInt64(1)...1_000 {
      var random = SplitMix64(state: seed)
      var bytes = GGUFBuilder.random(&random).bytes
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<min(bytes.count, 600), using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &random)
        case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 2: bytes.insert(UInt8.random(in: .min ... .max, using: &random), at: place)
        case 3: for index in place..<min(place + 8, bytes.count) { bytes[index] = 0xFF }
        default: bytes.removeSubrange(place..<min(place + 3, bytes.count))
        }
      }
      do {
        let header = try Self.header(bytes)
        for tensor in header.tensors {
          #expect(header.dataStart + tensor.offset + tensor.byteCount <= bytes.count, "seed \(seed)")
        }
        let (widening, wide) = try Self.widened(bytes)
        #expect(wide.count == widening.size, "seed \(seed)")
      } catch is GGUFError {
      } catch {
        Issue.record("seed \(seed): \(error)")
      }
    }
  }

  @Test func `absurd counts and sizes are refused at once`() {
    let start = Array("GGUF".utf8) + GGUFBuilder.number(UInt32(3))
    let huge = GGUFBuilder.number(UInt64.max)
    #expect(throws: GGUFError.self) { try Self.header(start + huge + GGUFBuilder.number(UInt64(0))) }
    #expect(throws: GGUFError.self) { try Self.header(start + GGUFBuilder.number(UInt64(0)) + huge) }
    let list = GGUFBuilder.text("k") + GGUFBuilder.number(UInt32(9)) + GGUFBuilder.number(UInt32(12)) + huge
    #expect(throws: GGUFError.self) {
      try Self.header(start + GGUFBuilder.number(UInt64(0)) + GGUFBuilder.number(UInt64(1)) + list)
    }
    let tensor =
      GGUFBuilder.text("t") + GGUFBuilder.number(UInt32(2)) + GGUFBuilder.number(UInt64(1) << 62)
      + GGUFBuilder.number(UInt64(1) << 62) + GGUFBuilder.number(UInt32(0)) + GGUFBuilder.number(UInt64(0))
    #expect(throws: GGUFError.self) {
      try Self.header(start + GGUFBuilder.number(UInt64(1)) + GGUFBuilder.number(UInt64(0)) + tensor)
    }
  }
}
