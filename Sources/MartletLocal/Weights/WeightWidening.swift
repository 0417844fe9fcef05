/// Weights of five bits (Q5_0) as weights of eight (Q8_0), which processors without instructions for the former multiply
/// faster: nothing is lost, since a block of either is one scale and 32 whole numbers, and -16...15 is part of -128...127.
///
/// The header stays as it is but for the types and offsets of its tensors.
struct WeightWidening: Sendable, Hashable {
  let header: GGUFHeader
  /// Which tensors are widened, by their index.
  let widened: Set<Int>

  /// - Parameter header: of the file as it is.
  init(_ header: GGUFHeader) {
    self.header = header
    // Looking up rows of an embedding costs the same in either form; where the output has weights of its own, the
    // embedding is only looked up.
    let hasOutput = header.tensors.contains { $0.name == "output.weight" }
    widened = Set(
      header.tensors.indices.filter { index in
        let tensor = header.tensors[index]
        return tensor.type == .q50 && !(hasOutput && tensor.name == "token_embd.weight")
      })
  }

  /// Whether so much of the file is multiplied as five-bit weights that widening pays: a quarter of its bytes or more.
  var isWorthwhile: Bool {
    let all = header.tensors.reduce(0) { $0 + $1.byteCount }
    return 4 * widened.reduce(0) { $0 + header.tensors[$1].byteCount } >= max(1, all)
  }

  /// Bytes of the new file.
  var size: Int {
    var end = 0
    for index in header.tensors.indices { end = GGUFHeader.aligned(end + byteCount(index), header.alignment) }
    return header.dataStart + end
  }

  func type(_ index: Int) -> GGUFTensorType { widened.contains(index) ? .q80 : header.tensors[index].type }

  private func byteCount(_ index: Int) -> Int { header.tensors[index].blocks * type(index).bytesPerBlock }

  /// Writes the new file in order, in pieces of about a megabyte.
  /// - Parameter progress: told after each piece how many bytes were written.
  func write(
    from source: GGUFCursor.Source, progress: (Int) throws -> Void = { _ in },
    to sink: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    var written = 0
    func put(_ bytes: UnsafeRawBufferPointer) throws {
      try sink(bytes)
      written += bytes.count
      try progress(written)
    }
    let piece = 1 << 20
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: piece, alignment: 64)
    defer { buffer.deallocate() }
    func read(_ range: Range<Int>) throws -> UnsafeRawBufferPointer {
      var filled = 0
      while filled < range.count {
        let count = try source(
          range.lowerBound + filled, UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<range.count]))
        guard count > 0 else { throw GGUFError.malformed("it ends too early", at: range.lowerBound + filled) }
        filled += count
      }
      return UnsafeRawBufferPointer(rebasing: buffer[..<range.count])
    }
    func copy(_ range: Range<Int>) throws {
      var start = range.lowerBound
      while start < range.upperBound {
        let end = min(start + piece, range.upperBound)
        try put(try read(start..<end))
        start = end
      }
    }

    // The head: all of it is copied but the twelve bytes of type and offset of each tensor.
    var start = 0
    var end = 0
    for (index, tensor) in header.tensors.enumerated() {
      try copy(start..<tensor.typePosition)
      let type = type(index).rawValue.littleEndian
      let offset = UInt64(end).littleEndian
      try withUnsafeBytes(of: type) { try put($0) }
      try withUnsafeBytes(of: offset) { try put($0) }
      start = tensor.typePosition + 12
      end = GGUFHeader.aligned(end + byteCount(index), header.alignment)
    }
    try copy(start..<header.list.upperBound)
    let zeros = [UInt8](repeating: 0, count: header.alignment)
    func pad() throws {
      let count = GGUFHeader.aligned(written, header.alignment) - written
      if count > 0 { try zeros.withUnsafeBytes { try put(UnsafeRawBufferPointer(rebasing: $0[..<count])) } }
    }
    try pad()

    let blocksAtOnce = piece / GGUFTensorType.q50.bytesPerBlock
    var wide: [UInt8] = []
    for (index, tensor) in header.tensors.enumerated() {
      let place = header.dataStart + tensor.offset
      guard widened.contains(index) else {
        try copy(place..<place + tensor.byteCount)
        try pad()
        continue
      }
      var block = 0
      while block < tensor.blocks {
        let count = min(blocksAtOnce, tensor.blocks - block)
        let narrow = try read(
          place + block * GGUFTensorType.q50.bytesPerBlock..<place + (block + count)
            * GGUFTensorType.q50.bytesPerBlock)
        Self.widen(narrow, blocks: count, into: &wide)
        try wide.withUnsafeBytes { try put($0) }
        block += count
      }
      try pad()
    }
  }

  /// Whole blocks of Q5_0 (a scale in half precision, 32 fifth bits, 32 times four bits, the first 16 weights in the low
  /// halves) as blocks of Q8_0 (the scale, 32 signed bytes).
  static func widen(_ narrow: UnsafeRawBufferPointer, blocks: Int, into wide: inout [UInt8]) {
    precondition(narrow.count >= blocks * 22)
    wide = [UInt8](unsafeUninitializedCapacity: blocks * 34) { buffer, initialized in
      for block in 0..<blocks {
        let from = block * 22
        let to = block * 34
        buffer.initializeElement(at: to, to: narrow[from])
        buffer.initializeElement(at: to + 1, to: narrow[from + 1])
        let fifth = UInt32(littleEndian: narrow.loadUnaligned(fromByteOffset: from + 2, as: UInt32.self))
        for index in 0..<16 {
          let pair = narrow[from + 6 + index]
          let low = pair & 0xF | UInt8(truncatingIfNeeded: fifth >> UInt32(index)) << 4 & 0x10
          let high = pair >> 4 | UInt8(truncatingIfNeeded: fifth >> UInt32(index + 16)) << 4 & 0x10
          buffer.initializeElement(at: to + 2 + index, to: low &- 16)
          buffer.initializeElement(at: to + 18 + index, to: high &- 16)
        }
      }
      initialized = blocks * 34
    }
  }
}
