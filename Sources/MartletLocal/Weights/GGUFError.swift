/// Why a file cannot be read as a GGUF file.
enum GGUFError: Error, Hashable {
  /// It breaks the format's rules at a byte of the file.
  case malformed(String, at: Int)
  /// It follows rules that are not known here.
  case unsupported(String)
}
