import Martlet
import MartletJSON

/// Puts tool calls together from their pieces, whichever way a server tells them apart.
///
/// Pieces belong together by index. A new call begins also when an index comes again with another id or, without ids,
/// after a complete call (vLLM behind some proxies sends every call with index 0); where there is no index (Mistral) the
/// id counts, and then the place. Arguments are joined, names are not; the first id that is not empty stays; a whole call
/// that is sent again is the same call.
struct ChatCalls: Sendable {
  struct Call: Sendable {
    /// Its place among the blocks of the reply.
    let position: Int
    fileprivate var index: Int?
    fileprivate(set) var id = ""
    fileprivate(set) var name = ""
    fileprivate(set) var arguments = ""
    fileprivate(set) var rest = JSONObject()

    /// Whether the arguments are a whole JSON object. Nothing that follows could belong to them.
    var isComplete: Bool {
      guard arguments.utf8.last == UInt8(ascii: "}") else { return false }
      do { return try JSONValue(parsing: arguments).objectValue != nil } catch { return false }
    }
  }

  private(set) var calls: [Call] = []

  /// Takes a piece; returns its call and what is new of it, or nil when nothing is.
  mutating func take(
    _ piece: ChatChunk.CallPiece, at place: Int, of count: Int, nextPosition: () -> Int
  ) -> (call: Call, delta: ToolCallDelta)? {
    let id = piece.id.flatMap { $0.isEmpty ? nil : $0 }
    let name = piece.name.flatMap { $0.isEmpty ? nil : $0 }
    let arguments = piece.arguments ?? ""
    if let known = known(piece, id: id, hasName: name != nil, at: place, of: count) {
      switch relation(of: id, name, arguments, to: calls[known]) {
      case .repeated: return nil
      case .more:
        if calls[known].id.isEmpty, let id { calls[known].id = id }
        let isNamed = calls[known].name.isEmpty && name != nil
        if isNamed, let name { calls[known].name = name }
        calls[known].arguments += arguments
        for (key, value) in piece.rest { calls[known].rest[key] = value }
        guard isNamed || !arguments.isEmpty else { return nil }
        return (calls[known], ToolCallDelta(id: id, name: isNamed ? name : nil, arguments: arguments))
      case .another: break
      }
    } else if id == nil, name == nil, arguments.isEmpty {
      return nil
    }
    var call = Call(position: nextPosition(), index: piece.index)
    call.id = id ?? ""
    call.name = name ?? ""
    call.arguments = arguments
    call.rest = piece.rest
    calls.append(call)
    return (call, ToolCallDelta(id: id, name: name, arguments: arguments))
  }

  /// The call that a piece may belong to.
  private func known(_ piece: ChatChunk.CallPiece, id: String?, hasName: Bool, at place: Int, of count: Int) -> Int? {
    if let index = piece.index { return calls.lastIndex { $0.index == index } }
    if let id { return calls.lastIndex { $0.id == id } }
    if hasName { return nil }
    return count > 1 && place < calls.count ? place : calls.indices.last
  }

  private enum Relation { case more, repeated, another }

  private func relation(of id: String?, _ name: String?, _ arguments: String, to call: Call) -> Relation {
    if let id, !call.id.isEmpty, id != call.id {
      // Without a name it is the same call under an id that changes.
      return name == nil ? .more : .another
    }
    guard let name, !call.name.isEmpty, !arguments.isEmpty, call.isComplete else { return .more }
    if name == call.name, arguments == call.arguments { return .repeated }
    return id == nil ? .another : .more
  }
}
