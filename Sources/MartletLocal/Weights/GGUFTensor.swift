/// One tensor as a GGUF file's list has it.
struct GGUFTensor: Sendable, Hashable {
  let name: String
  let type: GGUFTensorType
  /// Blocks of weights; the file's data are that many times the block's size.
  let blocks: Int
  /// Where its entry keeps its type, followed by its offset.
  let typePosition: Int
  /// Where its data start, counted from the start of all data.
  let offset: Int

  var byteCount: Int { blocks * type.bytesPerBlock }
}
