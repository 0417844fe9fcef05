import Testing

@testable import MartletTools

@Suite struct BigNaturalTests {
  /// Numbers of all sizes, with limbs of all ones and zeros among them, where carries are.
  static func random(_ random: inout SeededRandom) -> BigNatural {
    var value = BigNatural.zero
    for _ in 0..<Int.random(in: 0...6, using: &random) {
      let limb: UInt =
        [0, 1, .max, .max - 1, UInt.random(in: 0...(.max), using: &random)].randomElement(using: &random) ?? 0
      value = (value << 64) + BigNatural(limb)
    }
    return value >> Int.random(in: 0...70, using: &random)
  }

  @Test(arguments: 0..<300) func `the laws of arithmetic hold`(seed: UInt64) throws {
    var random = SeededRandom(seed)
    let (a, b, c) = (Self.random(&random), Self.random(&random), Self.random(&random))
    #expect(a + b == b + a)
    #expect((a + b) - b == a)
    #expect(a * b == b * a)
    #expect(a * (b + c) == a * b + a * c)
    if let (quotient, remainder) = a.divided(by: b) {
      #expect(remainder < b)
      #expect(quotient * b + remainder == a)
    } else {
      #expect(b.isZero)
    }
    let divisor = BigNatural.greatestCommonDivisor(a, b)
    if !divisor.isZero {
      #expect(try #require(a.divided(by: divisor)).remainder.isZero)
      #expect(try #require(b.divided(by: divisor)).remainder.isZero)
      let (x, y) = (try #require(a.divided(by: divisor)).quotient, try #require(b.divided(by: divisor)).quotient)
      #expect(BigNatural.greatestCommonDivisor(x, y) == .one || (x.isZero && y.isZero))
    }
    let shift = Int.random(in: 0...200, using: &random)
    #expect((a << shift) >> shift == a)
    #expect(a << shift == a * BigNatural(2).power(shift))
    #expect(BigNatural(digits: a.digits.utf8) == a)
    let root = a.squareRoot
    #expect(root * root <= a)
    #expect((root + .one) * (root + .one) > a)
  }

  @Test(arguments: 0..<100) func `small numbers agree with the machine's`(seed: UInt64) throws {
    var random = SeededRandom(seed)
    let (a, b) = (
      UInt.random(in: 0...UInt(UInt32.max), using: &random), UInt.random(in: 1...UInt(UInt32.max), using: &random)
    )
    #expect((BigNatural(a) * BigNatural(b)).digits == String(a * b))
    #expect((BigNatural(a) + BigNatural(b)).digits == String(a + b))
    #expect(try #require(BigNatural(a).divided(by: BigNatural(b))).quotient.small == a / b)
    #expect((BigNatural(a) < BigNatural(b)) == (a < b))
    #expect(BigNatural(a).bitWidth == UInt.bitWidth - a.leadingZeroBitCount)
  }

  @Test func `digits of long numbers are all there`() {
    #expect(BigNatural(10).power(36).digits == "1" + String(repeating: "0", count: 36))
    #expect(BigNatural(2).power(128).digits == "340282366920938463463374607431768211456")
    #expect(BigNatural(digits: "12x".utf8) == nil)
    #expect(BigNatural.zero.digits == "0")
  }

  @Test(arguments: [
    0.1, 1.5, -3.25, 1e300, .leastNonzeroMagnitude, .leastNormalMagnitude, 123_456_789.125, 0, 1.7976931348623157e308,
  ])
  func `a Double is a fraction and comes back`(value: Double) throws {
    #expect(try #require(Rational(value)).double == value)
  }
}
