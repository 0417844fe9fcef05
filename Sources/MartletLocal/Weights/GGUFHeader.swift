/// What stands before the weights of a GGUF file, version 3 (and 2, which differs in nothing that is read here): how many
/// bytes of metadata, and where which tensor is.
///
/// Metadata are only walked over. Reading is total: any bytes give a header or a `GGUFError`, in time linear in the file's
/// length and in memory for the names of at most `mostTensors` tensors.
struct GGUFHeader: Sendable, Hashable {
  static let mostTensors = 1 << 16

  /// Tensors start at multiples of this.
  let alignment: Int
  /// In the order of their data, without gaps but for alignment.
  let tensors: [GGUFTensor]
  /// Where the list of tensors starts and ends.
  let list: Range<Int>
  /// Where the data start.
  let dataStart: Int

  init(_ cursor: inout GGUFCursor) throws {
    guard cursor.size < 1 << 48 else { throw GGUFError.unsupported("a file of \(cursor.size) bytes") }
    guard try cursor.number(UInt32.self) == 0x4655_4747 else { throw GGUFError.malformed("it is not GGUF", at: 0) }
    let version = try cursor.number(UInt32.self)
    guard version == 2 || version == 3 else { throw GGUFError.unsupported("version \(version)") }
    let tensorCount = try cursor.number(UInt64.self)
    guard tensorCount <= Self.mostTensors else { throw GGUFError.unsupported("\(tensorCount) tensors") }
    let metadataCount = try cursor.number(UInt64.self)
    var alignment = 32
    var remaining = metadataCount
    while remaining > 0 {
      remaining -= 1
      let key = try cursor.shortText()
      let type = try cursor.number(UInt32.self)
      if key == "general.alignment" {
        let place = cursor.position
        guard type == 4 else { throw GGUFError.malformed("the alignment has another type", at: place) }
        alignment = Int(try cursor.number(UInt32.self))
        guard alignment > 0, alignment <= 1 << 16, alignment & (alignment - 1) == 0 else {
          throw GGUFError.malformed("the alignment is \(alignment)", at: place)
        }
      } else {
        try Self.skipValue(type, &cursor)
      }
    }

    let start = cursor.position
    var tensors: [GGUFTensor] = []
    var end = 0
    for _ in 0..<tensorCount {
      let place = cursor.position
      guard let name = try cursor.shortText() else {
        throw GGUFError.unsupported("a tensor's name of more than 255 bytes")
      }
      let dimensions = try cursor.number(UInt32.self)
      guard (1...4).contains(dimensions) else {
        throw GGUFError.malformed("a tensor has \(dimensions) dimensions", at: place)
      }
      var sizes: [Int] = []
      for _ in 0..<dimensions {
        guard let size = Int(exactly: try cursor.number(UInt64.self)), size > 0 else {
          throw GGUFError.malformed("a tensor has an impossible size", at: place)
        }
        sizes.append(size)
      }
      let typePosition = cursor.position
      let number = try cursor.number(UInt32.self)
      guard let type = GGUFTensorType(rawValue: number) else {
        throw GGUFError.unsupported("weights of type \(number)")
      }
      guard sizes[0].isMultiple(of: type.weightsPerBlock) else {
        throw GGUFError.malformed("a tensor's rows are no whole blocks", at: place)
      }
      sizes[0] /= type.weightsPerBlock
      var blocks = 1
      for size in sizes {
        let (product, isTooLarge) = blocks.multipliedReportingOverflow(by: size)
        guard !isTooLarge, product <= cursor.size else {
          throw GGUFError.malformed("a tensor is larger than the file", at: place)
        }
        blocks = product
      }
      let offset = try cursor.number(UInt64.self)
      guard offset == UInt64(end) else {
        throw GGUFError.malformed("a tensor's data are not where they belong", at: place)
      }
      let tensor = GGUFTensor(name: name, type: type, blocks: blocks, typePosition: typePosition, offset: end)
      // There are no more blocks than the file has bytes, so that this cannot overflow.
      guard tensor.byteCount <= cursor.size - end else {
        throw GGUFError.malformed("a tensor is larger than the file", at: place)
      }
      end = Self.aligned(end + tensor.byteCount, alignment)
      tensors.append(tensor)
    }
    self.alignment = alignment
    self.tensors = tensors
    list = start..<cursor.position
    dataStart = Self.aligned(cursor.position, alignment)
    let needed = dataStart + (tensors.last.map { $0.offset + $0.byteCount } ?? 0)
    guard needed <= cursor.size else { throw GGUFError.malformed("it ends too early", at: cursor.size) }
  }

  static func aligned(_ offset: Int, _ alignment: Int) -> Int { (offset + alignment - 1) & ~(alignment - 1) }

  private static func skipValue(_ type: UInt32, _ cursor: inout GGUFCursor) throws {
    if let width = width(type) { return try cursor.skip(width) }
    if type == 8 { return try cursor.skip(try cursor.number(UInt64.self)) }
    guard type == 9 else { throw GGUFError.malformed("a value of type \(type)", at: cursor.position) }
    let item = try cursor.number(UInt32.self)
    var count = try cursor.number(UInt64.self)
    if let width = width(item) {
      let (bytes, isTooLarge) = count.multipliedReportingOverflow(by: width)
      return try cursor.skip(isTooLarge ? .max : bytes)
    }
    guard item == 8 else { throw GGUFError.unsupported("lists of lists") }
    while count > 0 {
      count -= 1
      try cursor.skip(try cursor.number(UInt64.self))
    }
  }

  /// Bytes of a value of a fixed width.
  private static func width(_ type: UInt32) -> UInt64? {
    switch type {
    case 0, 1, 7: 1
    case 2, 3: 2
    case 4, 5, 6: 4
    case 10, 11, 12: 8
    default: nil
    }
  }
}
