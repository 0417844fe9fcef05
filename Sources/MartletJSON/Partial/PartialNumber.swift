/// A number that is not whole yet.
struct PartialNumber: Sendable {
  private enum Part: Sendable {
    case start, minus, zero, integer, point, fraction, exponentMark, exponentSign, exponent
  }

  private var part = Part.start
  private var text: [UInt8] = []

  /// Reads on from `index`; the number when a byte that cannot belong to it shows that it is whole.
  mutating func consume(
    _ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int, at base: Int
  ) throws(JSONFault) -> JSONNumber? {
    while index < bytes.count {
      guard let next = try next(bytes[index], base + index) else { return whole }
      part = next
      text.append(bytes[index])
      index += 1
    }
    return nil
  }

  /// The number, if it may end here.
  var whole: JSONNumber? {
    switch part {
    case .zero, .integer, .fraction, .exponent: text.withUnsafeBufferPointer { JSONNumber(validText: $0) }
    case .start, .minus, .point, .exponentMark, .exponentSign: nil
    }
  }

  private func next(_ byte: UInt8, _ offset: Int) throws(JSONFault) -> Part? {
    let isDigit = byte &- UInt8(ascii: "0") < 10
    switch part {
    case .start where byte == UInt8(ascii: "-"): return .minus
    case .start, .minus: if isDigit { return byte == UInt8(ascii: "0") ? .zero : .integer }
    case .integer where isDigit: return .integer
    case .zero where isDigit: throw JSONFault(.invalidNumber, offset)
    case .zero, .integer:
      if byte == UInt8(ascii: ".") { return .point }
      return byte | 0x20 == UInt8(ascii: "e") ? .exponentMark : nil
    case .fraction:
      if isDigit { return .fraction }
      return byte | 0x20 == UInt8(ascii: "e") ? .exponentMark : nil
    case .point: if isDigit { return .fraction }
    case .exponentMark where byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-"): return .exponentSign
    case .exponentMark, .exponentSign: if isDigit { return .exponent }
    case .exponent: return isDigit ? .exponent : nil
    }
    throw JSONFault(.invalidNumber, offset)
  }
}
