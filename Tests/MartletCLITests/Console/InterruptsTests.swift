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
}
