import Dispatch

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Lines of a file descriptor, read only when somebody asks: what follows stays there for the next reader.
///
/// Waiting can be cancelled; what was typed so far is kept.
package actor LineInput {
  private let descriptor: Int32
  private let ownsDescriptor: Bool
  private var buffer: [UInt8] = []
  /// How much of the buffer has no line's end.
  private var searched = 0
  private var isAtEnd = false
  private let limit: Int
  private let queue = DispatchQueue(label: "martlet.input")

  /// - Parameter limit: the most bytes of one line, or of everything that is read at once.
  package init(descriptor: Int32, ownsDescriptor: Bool = false, limit: Int = 64 << 20) {
    self.descriptor = descriptor
    self.ownsDescriptor = ownsDescriptor
    self.limit = limit
  }

  deinit { if ownsDescriptor { close(descriptor) } }

  /// The next line without its end; nil at the end of input.
  package func nextLine() async throws -> String? {
    while true {
      if let end = buffer[searched...].firstIndex(of: 0x0A) {
        let line = buffer[..<end]
        buffer.removeFirst(end + 1)
        searched = 0
        return String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
      }
      searched = buffer.count
      if isAtEnd {
        defer { clear() }
        return buffer.isEmpty ? nil : String(decoding: buffer, as: UTF8.self)
      }
      try await fill()
    }
  }

  /// Everything up to the end.
  package func all() async throws -> [UInt8] {
    while !isAtEnd { try await fill() }
    defer { clear() }
    return buffer
  }

  private func clear() {
    buffer = []
    searched = 0
  }

  /// - Throws: `InputFailure` where more came than anybody can mean to say; `CancellationError`.
  private func fill() async throws {
    let bytes = try await read()
    if bytes.isEmpty { isAtEnd = true }
    guard buffer.count + bytes.count <= limit else {
      clear()
      throw InputFailure(reason: "there is more of it than \(limit >> 20) MiB")
    }
    buffer += bytes
  }

  /// Waits on a thread of its own for input or for the word that nobody wants it any more.
  private func read() async throws -> [UInt8] {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw InputFailure(reason: String(cString: strerror(errno))) }
    let (wakeOut, wakeIn) = (ends[0], ends[1])
    defer {
      close(wakeOut)
      close(wakeIn)
    }
    let (descriptor, queue) = (descriptor, queue)
    let result: Result<[UInt8], any Error> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        queue.async { continuation.resume(returning: Result { try Self.read(descriptor, unless: wakeOut) }) }
      }
    } onCancel: {
      var byte: UInt8 = 0
      _ = write(wakeIn, &byte, 1)
    }
    return try result.get()
  }

  private nonisolated static func read(_ descriptor: Int32, unless wake: Int32) throws -> [UInt8] {
    while true {
      var waiting = [
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0), pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&waiting, 2, -1) >= 0 || errno == EINTR else {
        throw InputFailure(reason: String(cString: strerror(errno)))
      }
      if waiting[1].revents != 0 { throw CancellationError() }
      guard waiting[0].revents != 0 else { continue }
      var failure: Int32 = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
        #if canImport(Darwin)
          let read = Darwin.read(descriptor, buffer.baseAddress, buffer.count)
        #elseif canImport(Glibc)
          let read = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        #else
          let read = Musl.read(descriptor, buffer.baseAddress, buffer.count)
        #endif
        failure = read < 0 ? errno : 0
        count = max(0, read)
      }
      if failure == 0 { return bytes }
      guard failure == EINTR || failure == EAGAIN else {
        throw InputFailure(reason: String(cString: strerror(failure)))
      }
    }
  }
}

/// Why input could not be read.
struct InputFailure: Error {
  let reason: String
}
