#if MARTLET_LOCAL
  import MartletLocal
  import MartletSync

  /// Shows a fetch: a line that is rewritten on a terminal, a line for each step elsewhere.
  final class PullProgress: Sendable {
    private let console: Console
    private let model: KnownModel
    private let shown = Locked<Int?>(nil)

    init(console: Console, model: KnownModel) {
      self.console = console
      self.model = model
    }

    func show(_ event: PullEvent) {
      switch event {
      case .source(let source): step("fetching \(model.name) from \(source)")
      case .progress(let bytes, let total): advance(bytes, of: total)
      case .verifying: step("verifying \(model.name)")
      case .sourceFailed(let source, let reason): step("\(source) cannot give it: \(reason)")
      }
    }

    func show(_ event: PrepareEvent) {
      switch event {
      case .progress(0, _): step("preparing \(model.name) for this processor")
      case .progress(let bytes, let total): advance(bytes, of: total)
      case .skipped(let reason): step(reason)
      }
    }

    private func advance(_ bytes: Int, of total: Int) {
      let percent = bytes * 100 / max(1, total)
      let isNew = shown.withLock { shown -> Bool in
        defer { shown = percent }
        return shown != percent
      }
      if isNew { advance("\(ByteCount.text(bytes)) of \(ByteCount.text(total)), \(percent) %", percent) }
    }

    func end() {
      let wasShown = shown.withLock { shown -> Bool in
        defer { shown = nil }
        return shown != nil
      }
      if wasShown, isRewriting { console.note("") }
    }

    private var isRewriting: Bool { console.isErrorTerminal && !console.isPlain }

    private func step(_ text: String) {
      end()
      console.note(ControlFilter.line(text))
    }

    private func advance(_ text: String, _ percent: Int) {
      if isRewriting {
        console.noteInPlace(text)
      } else if percent % 10 == 0 {
        console.note(text)
      }
    }
  }
#endif
