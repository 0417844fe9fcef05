import MartletJSON

/// Joins a request body from encoded parts, without encoding or copying the messages again.
enum RequestBody {
  /// `{head…,"list":[segments…],tail…}` in pieces.
  /// - Parameter extra: members that the user adds; they replace those of the same name.
  static func join(
    head: JSONObject, list: String, of segments: [[UInt8]], tail: JSONObject, extra: JSONObject = [:]
  ) -> [[UInt8]] {
    var (head, tail) = (head, tail)
    for (key, value) in extra {
      if head[key] != nil { head[key] = value } else { tail[key] = value }
    }
    var body: [[UInt8]] = []
    body.reserveCapacity(segments.count * 2 + 2)
    var start = JSONValue.object(head).bytes()
    start.removeLast()
    start += "\(head.isEmpty ? "" : ",")\"\(list)\":[".utf8
    body.append(start)
    let comma = [UInt8(ascii: ",")]
    for (index, segment) in segments.enumerated() {
      if index > 0 { body.append(comma) }
      body.append(segment)
    }
    var end = Array("]".utf8)
    let rest = JSONValue.object(tail).bytes()
    if tail.isEmpty {
      end.append(UInt8(ascii: "}"))
    } else {
      end.append(UInt8(ascii: ","))
      end += rest.dropFirst()
    }
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
