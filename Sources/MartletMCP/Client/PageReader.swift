import MartletJSON

/// Puts the pages of a list together. Pure: takes a page, says which cursor to ask for next.
struct PageReader<Item: MCPObject>: Sendable {
  enum Next: Hashable, Sendable {
    /// An empty cursor is one like any other.
    case page(cursor: String)
    case done
  }

  private(set) var list = MCPList<Item>()
  private let key: String
  private let limit: Int
  private let identity: @Sendable (Item) -> String
  private var cursors: Set<String> = []
  private var names: Set<String> = []
  private var pages = 0

  /// - Parameters:
  ///   - key: the member of a page that holds the items.
  ///   - limit: the most pages.
  ///   - identity: what an item is known by; a second one of the same is left out.
  init(key: String, limit: Int, identity: @escaping @Sendable (Item) -> String) {
    self.key = key
    self.limit = limit
    self.identity = identity
  }

  mutating func take(_ page: JSONObject) -> Next {
    pages += 1
    if page[key]?.arrayValue == nil {
      list.problems.append(MCPListProblem(reason: "a page has no `\(key)`"))
    }
    for value in page[key]?.arrayValue ?? [] {
      do {
        let item = try Item(json: value)
        let name = identity(item)
        if names.insert(name).inserted {
          list.items.append(item)
        } else {
          list.problems.append(
            MCPListProblem(name: name, reason: "it is in the list twice", rejected: value))
        }
      } catch {
        list.problems.append(
          MCPListProblem(name: value["name"]?.stringValue, reason: "it is not usable: \(error)", rejected: value))
      }
    }
    guard let cursor = page[string: "nextCursor"] else { return .done }
    if !cursors.insert(cursor).inserted {
      list.problems.append(MCPListProblem(reason: "the server gives the same cursor again; the list may not be whole"))
      return .done
    }
    if pages >= limit {
      list.problems.append(MCPListProblem(reason: "the list has more than \(limit) pages; the rest was not read"))
      return .done
    }
    return .page(cursor: cursor)
  }
}
