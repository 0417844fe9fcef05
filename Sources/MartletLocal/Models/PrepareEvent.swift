/// What happens while a model's file is prepared for this machine's processor.
public enum PrepareEvent: Sendable, Hashable {
  /// So many bytes of the prepared file are written. Comes first with 0.
  case progress(bytes: Int, of: Int)
  /// The file is used as it was fetched, only slower: a sentence with the reason and what to do.
  case skipped(reason: String)
}
