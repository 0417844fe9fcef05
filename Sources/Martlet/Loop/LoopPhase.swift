/// Where a session stands.
public enum LoopPhase: Sendable, Hashable {
  /// No run is open.
  case idle
  /// A run is open and something can be done for it.
  case running
  /// A run is parked until an approval or an input is answered.
  case waiting
  /// A run is being ended on request.
  case cancelling
}
