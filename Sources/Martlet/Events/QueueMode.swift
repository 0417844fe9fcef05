/// When a queued message is said.
public enum QueueMode: String, Sendable, Hashable, CaseIterable, JSONConvertible {
  /// Before the next model call of the run, after the results of the running tools.
  case steer
  /// When the run would otherwise be over, or as the next prompt.
  case followUp = "follow_up"
}
