public import MartletJSON

/// All pages of a list of a server, and what could not be used of it.
public struct MCPList<Item: MCPObject>: Sendable, Hashable {
  /// What can be used, in the server's order.
  public var items: [Item]
  /// What was wrong with the list.
  public var problems: [MCPListProblem]

  init(items: [Item] = [], problems: [MCPListProblem] = []) {
    self.items = items
    self.problems = problems
  }
}

/// Something that is wrong with a list of a server; the rest of the list is none the worse for it.
public struct MCPListProblem: Sendable, Hashable, CustomStringConvertible {
  /// The name or address of the item, where it has one.
  public var name: String?
  /// One sentence.
  public var reason: String
  /// The item as it came, if it was left out.
  public var rejected: JSONValue?

  init(name: String? = nil, reason: String, rejected: JSONValue? = nil) {
    self.name = name
    self.reason = reason
    self.rejected = rejected
  }

  public var description: String {
    (name.map { "\"\($0)\": " } ?? "") + reason + (rejected == nil ? "" : "; it was left out")
  }
}
