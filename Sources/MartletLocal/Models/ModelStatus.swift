/// How much of a known model is on this machine.
public enum ModelStatus: Sendable, Hashable {
  /// Nothing of it is here.
  case missing
  /// A fetch was interrupted after so many bytes; pulling goes on there.
  case partial(bytes: Int)
  /// The file has the right size but was not verified, or has changed since.
  case unverified
  /// The file has another size than it should.
  case damaged
  /// The file is here and its hash was right when it was last looked at; it has not changed since.
  case present
}
