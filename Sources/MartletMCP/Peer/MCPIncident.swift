/// Something that a peer did wrong and that was got over.
public enum MCPIncident: Sendable, Hashable, CustomStringConvertible {
  /// Something arrived that is no message: a line of a banner, bytes that are no UTF-8.
  case fault(MCPFault)
  /// An answer to a request that was given up, or a second answer.
  case lateReply(MCPRequestID)
  /// An answer to nothing that was asked.
  case strayReply(MCPRequestID?)
  /// An error without an id; the oldest open request has failed with it.
  case replyWithoutID
  /// The id of an answer is a text where the request's was a number. It was taken all the same.
  case replyIDOfOtherType(MCPRequestID)
  /// An array of messages where the revision has none.
  case unexpectedBatch(Int)
  /// A list of the server has something in it that cannot be used.
  case list(method: String, MCPListProblem)
  /// A stream of the server broke and was taken up again, or could not be opened.
  case stream(String)

  public var description: String {
    switch self {
    case .fault(let fault): "something arrived that is no message: \(fault)"
    case .lateReply(let id): "an answer to request \(id) came late or twice"
    case .strayReply(let id): "an answer to a request that was not made\(id.map { ": \($0)" } ?? "")"
    case .replyWithoutID: "an error without an id; the oldest open request has failed with it"
    case .replyIDOfOtherType(let id): "the answer's id \(id) is a text where a number was sent"
    case .unexpectedBatch(let count): "an array of \(count) messages in a revision that has none"
    case .list(let method, let problem): "\(method): \(problem)"
    case .stream(let text): text
    }
  }
}
