import CLlama
import MartletCrypto

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The weights and the vocabulary of a loaded model. Freed with the last reference.
///
/// Nothing in it changes after loading, so any task may use it at any time.
package final class EngineModel: @unchecked Sendable {  // llama.cpp only reads a loaded model
  let handle: OpaquePointer
  private let vocabulary: OpaquePointer

  package let path: String
  /// What the file says it is, for example `qwen2 1B Q4_K - Medium`.
  package let summary: String
  /// Tokens the model was trained to take.
  package let trainedContextLength: Int
  package let vocabularySize: Int
  package let parameterCount: Int
  /// Bytes of all weights.
  package let byteCount: Int
  /// The file's Jinja template; the profile of a model is chosen by it.
  package let chatTemplate: String?
  /// The token a text starts with, where the model wants one.
  package let startToken: Token?

  /// Loads the file; blocks for as long as that takes (0.1 to 1 s for half a gigabyte in the file cache).
  /// - Throws: `EngineError` with `modelNotFound`, `modelUnreadable`, `notAModel`, `modelUnsupported` or
  ///   `notEnoughMemory`; `CancellationError`.
  package init(path: String) throws {
    EngineLog.start
    try ModelFile.check(path)
    var parameters = llama_model_default_params()
    parameters.n_gpu_layers = 0
    parameters.progress_callback = { _, _ in !Task.isCancelled }
    _ = EngineLog.takeError()
    guard let handle = llama_model_load_from_file(path, parameters) else {
      try Task.checkCancellation()
      let reason = EngineLog.takeError().map { " (\($0))" } ?? ""
      throw EngineError(
        .modelUnsupported,
        "The model file \(path) cannot be loaded\(reason); it may be cut short or of a kind this engine does not know. "
          + "Fetch it again or choose another.")
    }
    guard let vocabulary = llama_model_get_vocab(handle) else {
      llama_model_free(handle)
      throw EngineError(.modelUnsupported, "The model file \(path) has no vocabulary; choose another.")
    }
    self.handle = handle
    self.vocabulary = vocabulary
    self.path = path
    var buffer = [CChar](repeating: 0, count: 256)
    llama_model_desc(handle, &buffer, buffer.count)
    summary = buffer.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    trainedContextLength = Int(llama_model_n_ctx_train(handle))
    vocabularySize = Int(llama_vocab_n_tokens(vocabulary))
    parameterCount = Int(llama_model_n_params(handle))
    byteCount = Int(llama_model_size(handle))
    chatTemplate = llama_model_chat_template(handle, nil).map { String(cString: $0) }
    let start = llama_vocab_bos(vocabulary)
    startToken = llama_vocab_get_add_bos(vocabulary) && start >= 0 ? start : nil
  }

  deinit { llama_model_free(handle) }

  /// A value of the file's metadata, for example `general.name`.
  package func metadata(_ key: String) -> String? {
    var buffer = [CChar](repeating: 0, count: 512)
    var length = llama_model_meta_val_str(handle, key, &buffer, buffer.count)
    guard length >= 0 else { return nil }
    if length >= buffer.count {
      buffer = [CChar](repeating: 0, count: Int(length) + 1)
      length = llama_model_meta_val_str(handle, key, &buffer, buffer.count)
    }
    return String(decoding: buffer.prefix(Int(length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The tokens of a text.
  ///
  /// - Parameter markup: whether the names of special tokens in the text (`<|im_end|>`) mean these tokens. Only for the
  ///   text a chat format itself writes: with what users, tools and documents say it must stay off, or they could end
  ///   the turn and speak as somebody else. No start token is added; see `startToken`.
  package func tokens(in text: some StringProtocol, markup: Bool = false) -> [Token] {
    var copy = String(text)
    return copy.withUTF8 { bytes in
      guard let base = bytes.baseAddress, !bytes.isEmpty else { return [] }
      return bytes.withMemoryRebound(to: CChar.self) { characters in
        // A token is at least one byte, but for a prefix that some vocabularies add.
        var capacity = characters.count + 8
        while true {
          var count: Int32 = 0
          let tokens = [Token](unsafeUninitializedCapacity: capacity) { buffer, initialized in
            count = llama_tokenize(
              vocabulary, UnsafePointer(OpaquePointer(base)), Int32(characters.count), buffer.baseAddress,
              Int32(buffer.count), false, markup)
            initialized = Int(max(count, 0))
          }
          if count >= 0 { return tokens }
          capacity = Int(-count)
        }
      }
    }
  }

  /// The bytes a token stands for: often not whole characters. Special tokens stand for nothing unless `markup`.
  package func bytes(of token: Token, markup: Bool = false) -> [UInt8] {
    guard token >= 0, token < vocabularySize else { return [] }
    var capacity: Int32 = 64
    while true {
      var count: Int32 = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: Int(capacity)) { buffer, initialized in
        count = buffer.withMemoryRebound(to: CChar.self) {
          llama_token_to_piece(vocabulary, token, $0.baseAddress, capacity, 0, markup)
        }
        initialized = Int(max(count, 0))
      }
      if count >= 0 { return bytes }
      capacity = -count
    }
  }

  /// The text of tokens; bytes that are not UTF-8 become U+FFFD.
  package func text(of tokens: some Sequence<Token>, markup: Bool = false) -> String {
    String(decoding: tokens.flatMap { bytes(of: $0, markup: markup) }, as: UTF8.self)
  }

  /// The special token of this name, for example `<|im_end|>`; `nil` when the vocabulary has no such token.
  package func token(named name: String) -> Token? {
    let tokens = tokens(in: name, markup: true)
    return tokens.count == 1 ? tokens[0] : nil
  }

  /// Whether the model ends its reply with this token.
  package func endsReply(_ token: Token) -> Bool { llama_vocab_is_eog(vocabulary, token) }

  /// What a state depends on besides its tokens: the file as it is now, the engine, and how it splits prompts.
  func identity(_ options: EngineOptions) -> [UInt8] {
    let file = ModelFileStamp(of: path, sha256: "").map { "\($0.size) \($0.modified) \($0.file)" } ?? path
    let engine = [ggml_version(), ggml_commit(), llama_print_system_info()].map { text in
      text.map { String(cString: $0) } ?? ""
    }
    let parts = [file, "\(LLAMA_STATE_SEQ_VERSION)", "\(options.batch)"] + engine
    return SHA256.hash(Array(parts.joined(separator: "\n").utf8)).bytes
  }

  var vocabularyHandle: OpaquePointer { vocabulary }
}
