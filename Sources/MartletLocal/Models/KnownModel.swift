/// A model file that Martlet knows how to get and how to recognise.
public struct KnownModel: Sendable, Hashable {
  /// What it is called on the command line.
  public let name: String
  /// The name of its file in the store.
  public let fileName: String
  /// Bytes of the file.
  public let size: Int
  /// SHA-256 of the file, 64 lower-case hexadecimal digits. A file with another hash is never used.
  public let sha256: String
  /// SPDX identifier of the licence of the weights.
  public let license: String
  /// What it is good for, in a few words.
  public let use: String
  /// Where it can be had, best first.
  public let sources: [ModelSource]

  /// A model; for apps that bring their own.
  public init(
    name: String, fileName: String, size: Int, sha256: String, license: String, use: String, sources: [ModelSource]
  ) {
    self.name = name
    self.fileName = fileName
    self.size = size
    self.sha256 = sha256
    self.license = license
    self.use = use
    self.sources = sources
  }
}
