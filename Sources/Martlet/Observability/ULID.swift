/// Ids that sort by time: 48 bits of milliseconds and 80 of chance, in lowercase Crockford base 32 (the ULID form).
public enum ULID {
  /// A new id for a moment. Ids of one millisecond are in no particular order.
  public static func make(at time: Timestamp) -> String {
    var generator = SystemRandomNumberGenerator()
    return make(at: time, using: &generator)
  }

  /// A new id from a generator of one's own.
  public static func make(at time: Timestamp, using generator: inout some RandomNumberGenerator) -> String {
    let alphabet: StaticString = "0123456789abcdefghjkmnpqrstvwxyz"
    let moment = UInt64(clamping: time.milliseconds) & 0xFFFF_FFFF_FFFF
    let first = generator.next() as UInt64
    let second = generator.next() as UInt64
    return String(unsafeUninitializedCapacity: 26) { buffer in
      for index in 0..<10 { buffer[index] = alphabet.utf8Start[Int(moment >> UInt64(45 - index * 5) & 31)] }
      for index in 0..<8 {
        buffer[10 + index] = alphabet.utf8Start[Int(first >> UInt64(index * 5) & 31)]
        buffer[18 + index] = alphabet.utf8Start[Int(second >> UInt64(index * 5) & 31)]
      }
      return 26
    }
  }
}
