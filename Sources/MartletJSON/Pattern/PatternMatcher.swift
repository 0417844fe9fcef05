/// Runs a pattern's programs over one text by following all alternatives at once (Thompson, "Regular expression search
/// algorithm", 1968), so that time is at most the text's length times the program's size.
struct PatternMatcher {
  private let text: [UInt32]
  private let looks: [PatternProgram.Look]
  /// For each look, whether it holds at each of the `text.count + 1` places.
  private var holds: [[Bool]] = []
  private var stepsLeft: Int

  init(_ text: String, looks: [PatternProgram.Look], maximumSteps: Int) {
    self.text = text.unicodeScalars.map(\.value)
    self.looks = looks
    stepsLeft = maximumSteps
  }

  /// Nil if the steps ran out.
  mutating func matches(_ program: PatternProgram) -> Bool? {
    for look in looks {
      var table = [Bool](repeating: false, count: text.count + 1)
      guard
        run(
          look.program, forward: look.readsForward,
          onAccept: {
            table[$0] = true; return true
          })
      else { return nil }
      holds.append(table)
    }
    var found = false
    guard
      run(
        program, forward: true,
        onAccept: { _ in
          found = true; return false
        })
    else { return nil }
    return found
  }

  /// Tells `onAccept` each place a match that began anywhere reaches, until it returns false. False if the steps ran out.
  private mutating func run(_ program: PatternProgram, forward: Bool, onAccept: (Int) -> Bool) -> Bool {
    let isAnchored = forward && program.isAnchored
    // What the last code point led to, then a stack of what follows from that without reading.
    var reached: [Int] = []
    var readers: [Int] = []
    // The round in which an instruction was last entered, so that each is entered once a round.
    var entered = [Int](repeating: 0, count: program.instructions.count)
    for round in 1...(text.count + 1) {
      let place = forward ? round - 1 : text.count - (round - 1)
      if round == 1 || !isAnchored { reached.append(0) } else if reached.isEmpty { return true }
      var isAccepted = false
      while let index = reached.popLast() {
        guard entered[index] != round else { continue }
        entered[index] = round
        stepsLeft -= 1
        switch program.instructions[index] {
        case .scalar, .member: readers.append(index)
        case .split(let first, let second):
          reached.append(second)
          reached.append(first)
        case .jump(let target): reached.append(target)
        case .boundary(let boundary): if isAt(boundary, place) { reached.append(index + 1) }
        case .look(let look, let isNegative): if holds[look][place] != isNegative { reached.append(index + 1) }
        case .accept: isAccepted = true
        }
      }
      if isAccepted, !onAccept(place) { return true }
      guard round <= text.count else { return true }
      guard stepsLeft > 0 else { return false }
      let scalar = text[forward ? place : place - 1]
      for index in readers {
        switch program.instructions[index] {
        case .scalar(let wanted): if wanted == scalar { reached.append(index + 1) }
        case .member(let member): if program.classes[member].contains(scalar) { reached.append(index + 1) }
        default: break
        }
      }
      readers.removeAll(keepingCapacity: true)
    }
    return true
  }

  private func isAt(_ boundary: PatternBoundary, _ place: Int) -> Bool {
    switch boundary {
    case .start: place == 0
    case .end: place == text.count
    case .word: isWord(place - 1) != isWord(place)
    case .notWord: isWord(place - 1) == isWord(place)
    }
  }

  private func isWord(_ index: Int) -> Bool {
    guard text.indices.contains(index) else { return false }
    return switch text[index] {
    case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A: true
    default: false
    }
  }
}
