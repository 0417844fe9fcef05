import MartletJSON
import MartletSync

/// Answers that the server said may be used again for a while. All belong to one client, and so to one set of credentials.
final class ResultCache: Sendable {
  private struct Key: Hashable {
    let method: String
    let params: JSONObject
  }

  private struct Entry {
    let result: JSONObject
    let expiry: Duration
  }

  /// The most answers that are kept.
  private static let limit = 256

  private let entries = Locked<[Key: Entry]>([:])
  /// Counts invalidations, so that an answer that was on its way during one is not kept.
  private let epoch = Locked(0)

  var currentEpoch: Int { epoch.withLock { $0 } }

  func result(_ method: String, _ params: JSONObject, now: Duration) -> JSONObject? {
    entries.withLock { entries in
      let key = Key(method: method, params: params)
      guard let entry = entries[key] else { return nil }
      if entry.expiry > now { return entry.result }
      entries[key] = nil
      return nil
    }
  }

  /// Keeps an answer for as long as it says itself (`ttlMs`).
  func keep(_ result: JSONObject, of method: String, _ params: JSONObject, now: Duration, epoch: Int) {
    guard let life = result[milliseconds: "ttlMs"], life > .zero, epoch == currentEpoch else { return }
    entries.withLock { entries in
      if entries.count >= Self.limit {
        entries = entries.filter { $0.value.expiry > now }
        if entries.count >= Self.limit { entries = [:] }
      }
      entries[Key(method: method, params: params)] = Entry(result: result, expiry: now + life)
    }
  }

  /// Forgets what a notification says has changed.
  func invalidate(_ notification: MCPNotification) {
    switch notification {
    case .toolsChanged: remove { method, _ in method == Method.listTools }
    case .promptsChanged: remove { method, _ in method == Method.listPrompts }
    case .resourcesChanged: remove { method, _ in method == Method.listResources || method == Method.listTemplates }
    case .resourceUpdated(let uri):
      remove { method, params in method == Method.readResource && params[string: "uri"] == uri }
    default: break
    }
  }

  func removeAll() { remove { _, _ in true } }

  private func remove(where isStale: (String, JSONObject) -> Bool) {
    epoch.withLock { $0 += 1 }
    entries.withLock { entries in
      entries = entries.filter { !isStale($0.key.method, $0.key.params) }
    }
  }
}
