import MartletJSON
import Testing

@testable import MartletMCP

@Suite struct NegotiationTests {
  private func refused(_ code: MCPErrorCode, data: JSONValue? = nil) -> Negotiation.Outcome {
    .failed(MCPError(MCPErrorObject(code, "no", data: data)))
  }

  private let gone = Negotiation.Outcome.failed(MCPError(.connectionClosed, "gone"))
  private let silent = Negotiation.Outcome.failed(MCPError(.timedOut, "silent"))

  @Test func `a modern server is agreed with at once`() {
    var negotiation = Negotiation(.automatic)
    #expect(negotiation.next == .discover(.july2026))
    negotiation.take(.result(["supportedVersions": ["2026-07-28"], "capabilities": ["tools": [:]]]))
    guard case .agreed(let server) = negotiation.next else {
      Issue.record("\(negotiation.next)")
      return
    }
    #expect(server.revision == .july2026)
    #expect(server.capabilities.hasTools)
  }

  @Test(arguments: [MCPErrorCode.methodNotFound, .invalidParams, .internalError, .legacyResourceNotFound])
  func `any other error on the probe means a legacy server`(_ code: MCPErrorCode) {
    var negotiation = Negotiation(.automatic)
    negotiation.take(refused(code))
    #expect(negotiation.next == .initialize(.november2025))
    negotiation.take(.result(["protocolVersion": "2025-03-26", "capabilities": [:]]))
    guard case .agreed(let server) = negotiation.next else {
      Issue.record("\(negotiation.next)")
      return
    }
    #expect(server.revision == .march2025)
  }

  @Test(arguments: [MCPErrorCode.headerMismatch, .missingClientCapability])
  func `an error that only modern servers have is never answered with a handshake`(_ code: MCPErrorCode) {
    var negotiation = Negotiation(.automatic)
    negotiation.take(refused(code))
    guard case .failed = negotiation.next else {
      Issue.record("\(negotiation.next)")
      return
    }
  }

  @Test func `a server with no common revision is refused with both lists`() {
    var negotiation = Negotiation(.modern)
    negotiation.take(refused(.unsupportedRevision, data: ["supported": ["2031-01-01"], "requested": "2026-07-28"]))
    guard case .failed(let error) = negotiation.next else {
      Issue.record("\(negotiation.next)")
      return
    }
    #expect(error.code == .unsupportedRevision)
    #expect(error.message.contains("2031-01-01"))
    #expect(error.message.contains("2025-11-25"))
  }

  @Test func `a revision that is refused and offered at once is tried a second time, and no third`() {
    var negotiation = Negotiation(.modern)
    let refusal = refused(.unsupportedRevision, data: ["supported": ["2026-07-28"], "requested": "2026-07-28"])
    negotiation.take(refusal)
    #expect(negotiation.next == .discover(.july2026))
    negotiation.take(refusal)
    guard case .failed(let error) = negotiation.next else {
      Issue.record("\(negotiation.next)")
      return
    }
    #expect(error.code == .unsupportedRevision)
  }

  @Test func `a server that ends on the probe is started again, once`() {
    var negotiation = Negotiation(.automatic)
    negotiation.take(gone)
    #expect(negotiation.next == .reopen)
    negotiation.take(.reopened)
    #expect(negotiation.next == .initialize(.november2025))
    negotiation.take(gone)
    guard case .failed(let error) = negotiation.next else {
      Issue.record("\(negotiation.next)")
      return
    }
    #expect(error.code == .connectionClosed)
  }

  @Test func `a silent server is asked again in the older way, and then started again`() {
    var negotiation = Negotiation(.automatic)
    negotiation.take(silent)
    #expect(negotiation.next == .initialize(.november2025))
    negotiation.take(silent)
    #expect(negotiation.next == .reopen)
    negotiation.take(.reopened)
    negotiation.take(silent)
    guard case .failed(let error) = negotiation.next else {
      Issue.record("\(negotiation.next)")
      return
    }
    #expect(error.code == .timedOut)
  }

  @Test(arguments: ["1999-01-01", "2031-01-01", "", "2026-07-28"])
  func `a handshake with an unknown revision is refused`(_ version: String) {
    var negotiation = Negotiation(.legacy())
    negotiation.take(.result(["protocolVersion": .string(version)]))
    guard case .failed(let error) = negotiation.next else {
      Issue.record("\(negotiation.next)")
      return
    }
    #expect(error.code == .unsupportedRevision)
  }

  @Test func `over HTTP a plain no to the probe means a legacy server, and a server's own trouble does not`() {
    var negotiation = Negotiation(.automatic)
    negotiation.take(.failed(MCPError(.httpStatus, "no", status: 400)))
    #expect(negotiation.next == .initialize(.november2025))
    negotiation = Negotiation(.automatic)
    negotiation.take(.failed(MCPError(.httpStatus, "no", status: 503)))
    guard case .failed = negotiation.next else {
      Issue.record("\(negotiation.next)")
      return
    }
  }
}
