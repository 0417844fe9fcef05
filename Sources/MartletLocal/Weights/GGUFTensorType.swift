/// How the weights of a tensor are kept, by the number that ggml gives it: so many weights a block, so many bytes a block.
///
/// Only types that never change their layout between versions are known here (ggml's `enum ggml_type` and `block_*`).
enum GGUFTensorType: UInt32, Sendable, Hashable, CaseIterable {
  case f32 = 0
  case f16 = 1
  case q40 = 2
  case q41 = 3
  case q50 = 6
  case q51 = 7
  case q80 = 8
  case q2K = 10
  case q3K = 11
  case q4K = 12
  case q5K = 13
  case q6K = 14
  case bf16 = 30

  var weightsPerBlock: Int {
    switch self {
    case .f32, .f16, .bf16: 1
    case .q40, .q41, .q50, .q51, .q80: 32
    case .q2K, .q3K, .q4K, .q5K, .q6K: 256
    }
  }

  var bytesPerBlock: Int {
    switch self {
    case .f32: 4
    case .f16, .bf16: 2
    case .q40: 18
    case .q41: 20
    case .q50: 22
    case .q51: 24
    case .q80: 34
    case .q2K: 84
    case .q3K: 110
    case .q4K: 144
    case .q5K: 176
    case .q6K: 210
    }
  }
}
