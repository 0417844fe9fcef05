/// Unpredictable bytes, fit for keys, state parameters and nonces.
public enum RandomBytes {
  /// `count` bytes from the operating system's generator (`getrandom` on Linux, `arc4random_buf` on Apple platforms).
  public static func make(count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }
}
