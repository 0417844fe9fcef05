/// Reads JSON text (RFC 8259) from UTF-8 bytes.
///
/// Strict: one value, white space around it and nothing else; no comments, no trailing commas, no `NaN`. Time is linear
/// in the text. Invalid UTF-8 is an error, never repaired.
public struct JSONReader: Sendable {
  /// What the reader does where RFC 8259 leaves a choice.
  public struct Options: Hashable, Sendable {
    /// What a repeated key in an object means.
    public enum DuplicateKeys: Hashable, Sendable {
      /// The last value counts, at the place of the first: what JavaScript, Python and most others do.
      case last
      /// The first value counts.
      case first
      /// An error (`duplicateKey`), as I-JSON (RFC 7493) asks for.
      case error
    }

    /// What an escaped surrogate without its partner (`"\ud800"`) means; no Swift string can hold one.
    public enum LoneSurrogates: Hashable, Sendable {
      /// It reads as U+FFFD.
      case replace
      /// An error (`loneSurrogate`).
      case error
    }

    /// What a byte order mark (EF BB BF) before the text means.
    public enum ByteOrderMark: Hashable, Sendable {
      /// It is skipped.
      case skip
      /// An error (`byteOrderMark`).
      case error
    }

    /// How many arrays and objects may be inside each other. More than 1,024 counts as 1,024, so that no text can
    /// exhaust the stack, here or when the value is compared, hashed, written or released: each level takes up to
    /// 400 bytes of it (measured, release build, x86-64), and threads may have no more than 512 KiB.
    public var maximumDepth: Int
    /// What a repeated key means; by default the last value counts.
    public var duplicateKeys: DuplicateKeys
    /// What half a surrogate pair means; by default U+FFFD.
    public var loneSurrogates: LoneSurrogates
    /// What a byte order mark means; by default nothing.
    public var byteOrderMark: ByteOrderMark

    /// The choices, each with its default.
    public init(
      maximumDepth: Int = 512, duplicateKeys: DuplicateKeys = .last, loneSurrogates: LoneSurrogates = .replace,
      byteOrderMark: ByteOrderMark = .skip
    ) {
      self.maximumDepth = maximumDepth
      self.duplicateKeys = duplicateKeys
      self.loneSurrogates = loneSurrogates
      self.byteOrderMark = byteOrderMark
    }

    static let defaultDepth = 512
    static let hardDepthLimit = 1_024

    var depthLimit: Int { min(maximumDepth, Self.hardDepthLimit) }
  }

  /// The choices this reader makes.
  public var options: Options

  /// A reader with the given choices.
  public init(options: Options = Options()) {
    self.options = options
  }

  /// The value of a whole text.
  @inlinable
  public func read(_ bytes: some Sequence<UInt8>) throws(JSONError) -> JSONValue {
    let result = bytes.withContiguousStorageIfAvailable { read(buffer: $0) }
    return try (result ?? Array(bytes).withUnsafeBufferPointer { read(buffer: $0) }).get()
  }

  /// The value of a whole text.
  public func read(_ text: String) throws(JSONError) -> JSONValue {
    var text = text
    return try text.withUTF8 { read(buffer: $0) }.get()
  }

  /// The value of a whole text that lies in memory, without copying it.
  public func read(_ bytes: UnsafeRawBufferPointer) throws(JSONError) -> JSONValue {
    try bytes.withMemoryRebound(to: UInt8.self) { read(buffer: $0) }.get()
  }

  @usableFromInline
  func read(buffer: UnsafeBufferPointer<UInt8>) -> Result<JSONValue, JSONError> {
    JSONParser.parse(buffer, options).mapError { $0.error(in: buffer) }
  }
}

extension JSONValue {
  /// The value of a JSON text; see `JSONReader` for what it accepts.
  public init(parsing text: String, options: JSONReader.Options = .init()) throws(JSONError) {
    self = try JSONReader(options: options).read(text)
  }

  /// The value of a JSON text in UTF-8: an array of bytes, a `Data`, a slice of either.
  @inlinable
  public init(parsing bytes: some Sequence<UInt8>, options: JSONReader.Options = .init()) throws(JSONError) {
    self = try JSONReader(options: options).read(bytes)
  }
}
