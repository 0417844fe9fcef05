/// What happens while a model is fetched.
public enum PullEvent: Sendable, Hashable {
  /// A source is being tried.
  case source(ModelSource)
  /// So many bytes of the file are here. After an interruption it starts where it stopped.
  case progress(bytes: Int, of: Int)
  /// The bytes are all here and their hash is being computed.
  case verifying
  /// A source could not give the file; the next one follows.
  case sourceFailed(ModelSource, reason: String)
}
