import Martlet

/// Going back, beside, and to another session.
extension Chat {
  /// `/undo`
  func undo() async {
    do {
      guard let message = try await agent.undo() else {
        return context.console.problem("there is nothing to take back")
      }
      let line = message.text.split(separator: "\n").first.map { String($0.prefix(80)) } ?? ""
      context.console.notice("taken back: \(line)")
    } catch {
      complain(error)
    }
  }

  /// `/fork [N]`
  mutating func fork(at text: String?) async {
    let record = text.flatMap { Int($0) }
    if let text, record == nil {
      return context.console.problem("/fork takes the number of a record, not \(text.quotedShort)")
    }
    do {
      let fork = try await agent.fork(at: record)
      let left = agent.id
      await agent.close()
      agent = fork
      context.console.notice("goes on in \(fork.id); /sessions \(left) goes back")
    } catch {
      complain(error)
    }
  }

  /// `/sessions`
  func listSessions() async throws {
    let sessions = StoredSessions(store: setup.store)
    do {
      for summary in try await sessions.all().prefix(20) {
        let mark = summary.id == agent.id ? "* " : "  "
        try context.console.print(mark + (try await SessionsCommand.line(summary, sessions)))
      }
    } catch let failure as CommandFailure where !(failure.underlying is OutputFailure) {
      context.console.problem(failure.message)
    }
  }

  /// `/sessions ID`
  mutating func change(toSession text: String) async {
    do {
      let id = try await StoredSessions(store: setup.store).id(text)
      guard id != agent.id else { return context.console.notice("this is session \(id)") }
      let next = try await setup.makeAgent(session: id)
      // Opens the session, so that one in use is told of before this one is left.
      let turns: [SessionTurn]
      do { turns = try await next.turns } catch {
        await next.close()
        throw error
      }
      await agent.close()
      agent = next
      let last = turns.last.map {
        ": " + ($0.message.text.split(separator: "\n").first.map { String($0.prefix(80)) } ?? "")
      }
      context.console.notice("goes on with \(id)\(last ?? "")")
    } catch {
      complain(error)
    }
  }

  private func complain(_ error: any Error) {
    switch error {
    case let failure as CommandFailure: context.console.problem(failure.message)
    case let error as AgentError: context.console.problem(error.message.lowercasedFirst)
    default: context.console.problem("\(error)")
    }
  }
}
