/// A stack in memory of one's own, moved to the heap when it outgrows the room it was lent.
///
/// The owner must call `destroy()`, once.
struct JSONStack<Element> {
  private var base: UnsafeMutablePointer<Element>
  private var capacity: Int
  private var isOnHeap = false
  private(set) var count = 0

  /// An empty stack in lent room, of one element at least.
  init(_ room: UnsafeMutableBufferPointer<Element>) {
    guard let start = room.baseAddress else { preconditionFailure("a stack needs room") }
    base = start
    capacity = room.count
  }

  @inline(__always)
  mutating func push(_ element: consuming Element) {
    if count == capacity { grow() }
    (base + count).initialize(to: element)
    count += 1
  }

  /// Moves the elements above `bottom` into an array.
  @inline(__always)
  mutating func pop(from bottom: Int) -> [Element] {
    let top = count - bottom
    count = bottom
    let first = base + bottom
    guard top <= 16 else {
      return Array(unsafeUninitializedCapacity: top) { room, initialized in
        room.baseAddress?.moveInitialize(from: first, count: top)
        initialized = top
      }
    }
    // For a few elements this takes a third of the time, because the compiler specialises it.
    var elements: [Element] = []
    elements.reserveCapacity(top)
    for offset in 0..<top { elements.append((first + offset).move()) }
    return elements
  }

  /// Releases what is left.
  mutating func destroy() {
    base.deinitialize(count: count)
    count = 0
    if isOnHeap { base.deallocate() }
  }

  @inline(never)
  private mutating func grow() {
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity * 2)
    larger.moveInitialize(from: base, count: count)
    if isOnHeap { base.deallocate() }
    base = larger
    capacity *= 2
    isOnHeap = true
  }
}
