/// How a reply is made.
package struct GenerationOptions: Sendable, Hashable {
  package var sampling: Sampling
  /// The most tokens of the reply; `nil` is what the context still holds.
  package var maximumTokens: Int?
  /// Texts that end the reply; they are not part of it.
  package var stops: [String]

  package init(sampling: Sampling = .greedy, maximumTokens: Int? = nil, stops: [String] = []) {
    self.sampling = sampling
    self.maximumTokens = maximumTokens
    self.stops = stops
  }
}
