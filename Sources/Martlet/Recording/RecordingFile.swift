import MartletJSON
import MartletSync

/// The file of a recording while it is written: one JSON object a line, each handed to the system as it happens.
///
/// What was handed over outlives the program, however it ends. Only `finish` waits for the disk: a loss of power may cut a
/// recording, and the session's own log, which is synced, has the events.
final class RecordingFile: Sendable {
  private struct State {
    let file: StorageFile
    var end = 0
    /// Lines that go with the next one that matters.
    var waiting: [UInt8] = []
    var failure: RecordingError?
    var isClosed = false
  }

  private let state: Locked<State>
  private let started = ContinuousClock().now

  /// - Throws: `RecordingError` when there is such a file or none can be made.
  init(_ path: String) throws {
    do {
      state = Locked(State(file: try StorageFile(path, create: true, exclusive: true)))
    } catch {
      throw error.isTaken
        ? RecordingError(.exists, "there is a file \(path) already: remove it, or record under another name")
        : RecordingError(.storage, "the recording cannot be written to \(path): \(error)", underlying: error)
    }
  }

  /// The first failure; nothing is written after it.
  var failure: RecordingError? { state.withLock { $0.failure } }

  /// Microseconds since the recording began.
  var elapsed: Int { (ContinuousClock().now - started).wholeNanoseconds / 1_000 }

  /// Writes a line.
  /// - Parameter isLazy: it may wait for the next line; nothing follows from it alone.
  func write(_ object: JSONObject, isLazy: Bool = false) {
    var line = JSONValue.object(object).bytes()
    line.append(0x0A)
    state.withLock { state in
      guard state.failure == nil, !state.isClosed else { return }
      state.waiting += line
      if isLazy { return }
      flush(&state)
    }
  }

  private func flush(_ state: inout State) {
    do {
      try state.file.write(state.waiting, at: state.end)
      state.end += state.waiting.count
      state.waiting = []
    } catch {
      state.failure = RecordingError(
        .storage, "the recording could not be written any further: \(error)", underlying: error)
    }
  }

  /// Writes a last line and waits until all is on the disk.
  func finish(_ object: JSONObject) {
    write(object)
    state.withLock { state in
      guard !state.isClosed else { return }
      state.isClosed = true
      do { try state.file.sync() } catch {
        state.failure =
          state.failure
          ?? RecordingError(.storage, "the recording could not be written any further: \(error)", underlying: error)
      }
    }
  }
}
