/// How many images a request has, and whether one more may be in it (Anthropic's guide to vision, November 2026).
///
/// With more than 20 images none may have more than 2,000 pixels on a side. What was sent stays as it is, since a prefix that
/// changes loses its cache and its thinking; so once a large image is among the first 20, there are no more than those.
struct AnthropicImages: Sendable, Hashable {
  private static let few = 20
  private static let most = 100
  private static let largeSide = 2_000
  private var count = 0
  private var hasLarge = false

  /// Whether an image may follow, which is then counted.
  /// - Parameter side: pixels of its longer side; 0 where it is not known.
  mutating func admit(side: Int) -> Bool {
    let isLarge = side > Self.largeSide
    guard count < (isLarge || hasLarge ? Self.few : Self.most) else { return false }
    count += 1
    hasLarge = hasLarge || isLarge
    return true
  }
}
