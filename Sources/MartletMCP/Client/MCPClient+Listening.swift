import MartletJSON
import MartletSync

/// Notifications of the kinds that were asked for, until it is dropped.
public struct MCPSubscription: AsyncSequence, Sendable {
  public typealias Element = MCPNotification
  /// What the server said it will tell. It may be less than was asked for.
  public let acknowledged: MCPListenFilter
  let subscriber: NotificationSubscriber

  public func makeAsyncIterator() -> MCPNotifications.AsyncIterator {
    MCPNotifications.AsyncIterator(subscriber: subscriber)
  }
}

extension MCPClient {
  /// Asks the server to tell when something changes. Ends when the subscription and its iterators are dropped, when the
  /// server ends it, and with the client; it is taken up again after the server was started again.
  ///
  /// Single pass, one reader. What is told is also among ``notifications()``.
  public func listen(_ filter: MCPListenFilter) async throws -> MCPSubscription {
    let session = try await session()
    return session.facts.listensByRequest
      ? try await listenByRequest(filter) : try await listenBySubscribing(filter, session)
  }

  private func listenByRequest(_ filter: MCPListenFilter) async throws -> MCPSubscription {
    let (listeners, listener) = (listeners, Listener())
    let subscriber = NotificationSubscriber(onEnd: { listeners.cancel(listener) })
    listener.attach(subscriber)
    listeners.keep(listener) { await self.keepUp(listener, filter) }
    let acknowledged = try await listener.acknowledged.value()
    return MCPSubscription(acknowledged: acknowledged, subscriber: subscriber)
  }

  private func keepUp(_ listener: Listener, _ filter: MCPListenFilter) async {
    let listeners = listeners
    while !Task.isCancelled {
      do {
        _ = try await session().request(
          Method.listen, ["notifications": .object(filter.fields)], MCPRequestOptions(), hasPatience: false
        ) { listeners.bind($0, to: listener) }
        listener.acknowledged.settle(.failure(MCPError(.invalidResponse, "the server ended the subscription at once")))
        break
      } catch let error as MCPError where error.code == .connectionClosed && !Task.isCancelled {
        // Begins again with the next connection, as often as the server may be started again.
        listener.take(.disconnected(error))
      } catch {
        listener.acknowledged.settle(.failure(error))
        break
      }
      if case .connectionClosed? = await failureToConnect()?.code { break }
    }
    listener.acknowledged.settle(.failure(CancellationError()))
    listener.end()
  }

  private func failureToConnect() async -> MCPError? {
    do {
      _ = try await session()
      return nil
    } catch {
      return error as? MCPError ?? MCPError(.connectionClosed, "connecting was cancelled")
    }
  }

  private func listenBySubscribing(
    _ filter: MCPListenFilter, _ session: ClientSession
  ) async throws -> MCPSubscription {
    let capabilities = session.server.capabilities
    let acknowledged = MCPListenFilter(
      tools: filter.tools && capabilities.tellsToolChanges, prompts: filter.prompts && capabilities.tellsPromptChanges,
      resourceList: filter.resourceList && capabilities.tellsResourceChanges,
      resources: capabilities.hasSubscriptions ? filter.resources : [],
      tasks: session.facts.tasks == .core ? filter.tasks : [])
    let (watched, current, uris) = (watched, current, acknowledged.resources)
    let subscriber = NotificationSubscriber(
      filter: { acknowledged.matches($0) },
      onEnd: {
        for uri in uris {
          let isLast = watched.withLock { watched -> Bool in
            watched[uri, default: 1] -= 1
            guard watched[uri] == 0 else { return false }
            watched[uri] = nil
            return true
          }
          if isLast { current.withLock { $0 }?.post(Method.unsubscribe, ["uri": .string(uri)]) }
        }
      })
    for uri in uris { watched.withLock { $0[uri, default: 0] += 1 } }
    hub.add(subscriber)
    for uri in uris {
      _ = try await session.request(Method.subscribe, ["uri": .string(uri)], MCPRequestOptions())
    }
    return MCPSubscription(acknowledged: acknowledged, subscriber: subscriber)
  }
}
