/// Matches one address against a template: each place of the template is tried at each place of the address once at most.
struct URITemplateMatcher {
  /// A place in the template. Variables that stand by their order are places of their own.
  private enum Step {
    case text([UInt8])
    case variable(URITemplate.Variable, mark: UInt8?, isOptional: Bool, stops: [UInt8])
    case named(URITemplate.Named)
  }

  private let steps: [Step]
  private let address: [UInt8]
  private var values: [String: String] = [:]
  /// For each place of the template, the places of the address from which the rest does not fit.
  private var dead: [Bool]
  /// For each variable, the places at which, or after which, it cannot end. What has begun elsewhere comes to the same ones,
  /// so that all in all each is tried once.
  private var deadEnds: [Bool]

  init(parts: [URITemplate.Part], address: [UInt8]) {
    self.address = address
    steps = parts.flatMap { part -> [Step] in
      switch part {
      case .text(let text): return [.text(text)]
      case .named(let named): return [.named(named)]
      case .ordered(let ordered):
        return ordered.variables.enumerated().map { index, variable in
          let isFirst = index == 0
          var stops: [UInt8] = []
          if !ordered.takesReserved {
            // With `*` an operator's own mark separates the values of its list.
            if !variable.takesAll { stops += "/".utf8 }
            stops += "?#".utf8
            if ordered.mark == UInt8(ascii: "."), !variable.takesAll { stops += ".".utf8 }
          }
          if ordered.variables.count > 1, !variable.takesAll { stops.append(ordered.separator) }
          return .variable(
            variable, mark: isFirst ? ordered.mark : ordered.separator, isOptional: !isFirst || ordered.mark != nil,
            stops: stops)
        }
      }
    }
    let count = steps.count * (address.count + 1)
    dead = Array(repeating: false, count: count)
    deadEnds = dead
  }

  mutating func match() -> [String: String]? { fits(0, 0) ? values : nil }

  private mutating func fits(_ step: Int, _ place: Int) -> Bool {
    guard step < steps.count else { return place == address.count }
    let key = step * (address.count + 1) + place
    if dead[key] { return false }
    let isFit =
      switch steps[step] {
      case .text(let text): address[place...].starts(with: text) && fits(step + 1, place + text.count)
      case .named(let named): fits(named, step, place)
      case .variable(let variable, let mark, let isOptional, let stops):
        fits(variable, mark, stops, step, place) || isOptional && fits(step + 1, place)
      }
    if !isFit { dead[key] = true }
    return isFit
  }

  private mutating func fits(
    _ variable: URITemplate.Variable, _ mark: UInt8?, _ stops: [UInt8], _ step: Int, _ place: Int
  ) -> Bool {
    var start = place
    if let mark {
      guard start < address.count, address[start] == mark else { return false }
      start += 1
    }
    let row = step * (address.count + 1)
    var end = start
    while end < address.count, !stops.contains(address[end]) {
      end += 1
      // Where a value may only be so long, its start matters too.
      if variable.limit == nil {
        if deadEnds[row + end] { return false }
        deadEnds[row + end] = true
      }
      // A character takes up to four bytes, each of them written as three.
      if let limit = variable.limit, end - start > 12 * limit { return false }
      // Not within a character or an escape, where nothing can go on.
      if end < address.count, address[end] & 0xC0 == 0x80 { continue }
      if let limit = variable.limit, Self.decoded(address[start..<end]).count > limit { continue }
      if fits(step + 1, end) {
        values[variable.name] = Self.decoded(address[start..<end])
        return true
      }
    }
    return false
  }

  private mutating func fits(_ named: URITemplate.Named, _ step: Int, _ place: Int) -> Bool {
    guard place < address.count, address[place] == named.mark else { return fits(step + 1, place) }
    // A fragment ends it, and so does what another operator begins.
    var stops = Array("#/?".utf8)
    if named.mark != UInt8(ascii: ";") { stops = Array("#".utf8) }
    let end = address[(place + 1)...].firstIndex { stops.contains($0) } ?? address.count
    var found: [String: String] = [:]
    for parameter in address[(place + 1)..<end].split(separator: named.separator) {
      let name = String(decoding: parameter.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
      guard let variable = named.variables.first(where: { $0.name == name }) else { return false }
      let value = Self.decoded(parameter.dropFirst(name.utf8.count + 1))
      if let limit = variable.limit, value.count > limit { return false }
      switch found[name] {
      case nil: found[name] = value
      case let old?:
        guard variable.takesAll else { return false }
        found[name] = "\(old),\(value)"
      }
    }
    guard fits(step + 1, end) else { return false }
    values.merge(found) { $1 }
    return true
  }

  /// A broken escape stays as it is.
  private static func decoded(_ text: ArraySlice<UInt8>) -> String {
    var bytes: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16), rest.first != UInt8(ascii: "+")
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
