import MartletSync
import Testing

@testable import MartletCLI

@Suite struct `signals` {
  @Test func `the first cancels, the second ends the program`() {
    let interrupts = Interrupts()
    let cancelled = Locked(0)
    interrupts.onSignal { _ in cancelled.withLock { $0 += 1 } }
    #expect(interrupts.deliver(.interrupt) == false)
    #expect(cancelled.withLock { $0 } == 1)
    #expect(interrupts.deliver(.interrupt) == true)
    #expect(cancelled.withLock { $0 } == 1)
    #expect(interrupts.received == .interrupt)
  }

  @Test func `one that comes too early is kept`() async {
    let interrupts = Interrupts()
    #expect(interrupts.deliver(.terminate) == false)
    for await signal in interrupts.signals() {
      #expect(signal == .terminate)
      break
    }
    #expect(interrupts.received?.status == .terminated)
  }

  @Test func `after a cancelled answer the next is a first one again`() {
    let interrupts = Interrupts()
    interrupts.onSignal { _ in }
    #expect(interrupts.deliver(.interrupt) == false)
    interrupts.reset()
    #expect(interrupts.received == nil)
    #expect(interrupts.deliver(.interrupt) == false)
  }

  @Test(arguments: [true, false])
  func `a command's own way with signals counts, whoever is first to say what to do`(_ isOwnFirst: Bool) {
    let interrupts = Interrupts()
    let taken = Locked<[String]>([])
    let steps = [
      { interrupts.onSignal { _ in taken.withLock { $0.append("own") } } },
      { interrupts.otherwise { _ in taken.withLock { $0.append("otherwise") } } },
    ]
    for step in isOwnFirst ? steps : steps.reversed() { step() }
    #expect(!interrupts.deliver(.interrupt))
    #expect(taken.withLock(\.self) == ["own"])
  }

  @Test func `without a way of its own a command is cancelled`() {
    let interrupts = Interrupts()
    let taken = Locked(0)
    interrupts.otherwise { _ in taken.withLock { $0 += 1 } }
    #expect(!interrupts.deliver(.terminate))
    #expect(interrupts.deliver(.terminate))
    #expect(taken.withLock(\.self) == 1)
  }
}
