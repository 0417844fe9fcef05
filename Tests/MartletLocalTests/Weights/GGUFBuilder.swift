@testable import MartletLocal

/// Writes small GGUF files.
struct GGUFBuilder {
  struct Tensor {
    var name: String
    var type: GGUFTensorType
    var dimensions: [Int]
    var data: [UInt8]
  }

  var alignment: Int?
  /// Entries of the metadata, as they stand in the file.
  var metadata: [[UInt8]] = []
  var tensors: [Tensor] = []

  static func number(_ value: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: value.littleEndian, Array.init) }
  static func text(_ text: String) -> [UInt8] { number(UInt64(text.utf8.count)) + Array(text.utf8) }

  var bytes: [UInt8] {
    var metadata = metadata
    if let alignment {
      metadata.append(Self.text("general.alignment") + Self.number(UInt32(4)) + Self.number(UInt32(alignment)))
    }
    let alignment = alignment ?? 32
    var bytes = Array("GGUF".utf8) + Self.number(UInt32(3)) + Self.number(UInt64(tensors.count))
    bytes += Self.number(UInt64(metadata.count)) + metadata.flatMap { $0 }
    var offset = 0
    for tensor in tensors {
      bytes += Self.text(tensor.name) + Self.number(UInt32(tensor.dimensions.count))
      bytes += tensor.dimensions.flatMap { Self.number(UInt64($0)) }
      bytes += Self.number(tensor.type.rawValue) + Self.number(UInt64(offset))
      offset = GGUFHeader.aligned(offset + tensor.data.count, alignment)
    }
    func pad() { while !bytes.count.isMultiple(of: alignment) { bytes.append(0) } }
    pad()
    for tensor in tensors {
      bytes += tensor.data
      pad()
    }
    return bytes
  }

  /// A file with metadata of all kinds and tensors of all types.
  static func random(_ random: inout SplitMix64) -> GGUFBuilder {
    var file = GGUFBuilder(alignment: [nil, 8, 32, 64].randomElement(using: &random) ?? nil)
    for index in 0..<Int.random(in: 0..<12, using: &random) {
      let key = text("key.\(index)" + String(repeating: "x", count: index == 7 ? 300 : 0))
      let value: [UInt8] =
        switch Int.random(in: 0..<6, using: &random) {
        case 0: number(UInt32(7)) + [1]
        case 1: number(UInt32(5)) + number(Int32(-3))
        case 2: number(UInt32(12)) + number(UInt64.random(in: .min ... .max, using: &random))
        case 3: number(UInt32(8)) + text("a text, är ok")
        case 4: number(UInt32(9)) + number(UInt32(3)) + number(UInt64(3)) + [1, 2, 3, 4, 5, 6]
        default:
          number(UInt32(9)) + number(UInt32(8)) + number(UInt64(2)) + text("") + text(String(repeating: "y", count: 70))
        }
      file.metadata.append(key + value)
    }
    var names = ["token_embd.weight", "output.weight"].filter { _ in Bool.random(using: &random) }
    for index in 0..<Int.random(in: 0..<10, using: &random) { names.append("blk.\(index).weight") }
    for name in names {
      let type = Bool.random(using: &random) ? .q50 : GGUFTensorType.allCases.randomElement(using: &random) ?? .f32
      let rows = Int.random(in: 1...5, using: &random)
      let blocks = Int.random(in: 1...6, using: &random)
      let data = (0..<rows * blocks * type.bytesPerBlock).map { _ in UInt8.random(in: .min ... .max, using: &random) }
      file.tensors.append(
        Tensor(name: name, type: type, dimensions: [blocks * type.weightsPerBlock, rows], data: data))
    }
    return file
  }
}

extension GGUFCursor {
  /// Bytes in memory, handed out at most `step` at a time.
  init(_ bytes: [UInt8], window: Int = 1 << 16, step: Int = .max) {
    self.init(size: bytes.count, window: window, source: Self.source(bytes, step: step))
  }

  static func source(_ bytes: [UInt8], step: Int = .max) -> Source {
    { offset, buffer in
      let count = min(buffer.count, step, max(0, bytes.count - offset))
      if count > 0 { buffer.copyBytes(from: bytes[offset..<offset + count]) }
      return count
    }
  }
}
