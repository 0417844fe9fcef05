import MartletJSON

/// What comes before the messages of a request, encoded once for all requests that begin with it, and what makes a whole
/// body of it without encoding or copying the messages again.
struct RequestHead: Sendable {
  /// `{head…,"list":[`
  private let bytes: [UInt8]
  /// The user's members that stand behind the list.
  private let rest: JSONObject

  /// - Parameter extra: members that the user adds; they replace those of the same name.
  init(_ head: JSONObject, list: String, extra: JSONObject = [:]) {
    var (head, rest) = (head, JSONObject())
    for (key, value) in extra {
      if head[key] != nil { head[key] = value } else { rest[key] = value }
    }
    var bytes = JSONValue.object(head).bytes()
    bytes.removeLast()
    bytes += "\(head.isEmpty ? "" : ",")\"\(list)\":[".utf8
    self.bytes = bytes
    self.rest = rest
  }

  /// `{head…,"list":[items…],tail…}` in pieces.
  func body(_ items: EncodedItems, tail: JSONObject) -> [[UInt8]] {
    let tail = rest.isEmpty ? tail : tail.merging(rest)
    var body: [[UInt8]] = []
    body.reserveCapacity(items.pieces.count + 2)
    body.append(bytes)
    body += items.pieces
    var end = JSONValue.object(tail).bytes()
    if !tail.isEmpty { end[0] = UInt8(ascii: ",") } else { end.removeFirst() }
    end.insert(UInt8(ascii: "]"), at: 0)
    body.append(end)
    return body
  }
}

extension JSONObject {
  /// The object with the members of another, which win.
  func merging(_ other: JSONObject) -> JSONObject {
    var merged = self
    for (key, value) in other { merged[key] = value }
    return merged
  }
}
