public import MartletJSON

/// What a transport hands over.
public enum MCPIncoming: Sendable, Hashable {
  /// A message.
  case message(MCPMessage)
  /// Several in one array. Only one revision has them.
  case batch([MCPIncoming])
  /// Something that is no message.
  case fault(MCPFault)
  /// A request that will get no answer, by its id: for transports on which each request has its own way.
  case lost(MCPRequestID, MCPError)

  /// Reads one JSON text. Total: whatever the bytes are, something comes out.
  public init(decoding bytes: some Sequence<UInt8>, options: JSONReader.Options = .init(maximumDepth: 256)) {
    do {
      self.init(json: try JSONValue(parsing: bytes, options: options), size: bytes.underestimatedCount)
    } catch {
      self = .fault(
        MCPFault(
          .parseError, "this is no JSON: \(error.message)", role: .unknown, size: bytes.underestimatedCount))
    }
  }

  /// Reads a JSON value.
  init(json: JSONValue, size: Int = 0, isInBatch: Bool = false) {
    switch json {
    case .array(let elements) where !isInBatch && !elements.isEmpty:
      self = .batch(elements.map { MCPIncoming(json: $0, isInBatch: true) })
    case .object(let object):
      do throws(MCPFault) {
        self = .message(try MCPMessage(object: object, size: size))
      } catch {
        self = .fault(error)
      }
    default:
      self = .fault(MCPFault(.invalidRequest, "a message is a JSON object", role: .unknown, size: size))
    }
  }
}

extension MCPMessage {
  /// Reads a message. Members that the protocol does not know are passed over.
  init(object: JSONObject, size: Int) throws(MCPFault) {
    let id = object["id"].flatMap(MCPRequestID.init(json:))
    if let method = object["method"] {
      let expectsReply = object["id"] != nil
      func fault(_ code: MCPErrorCode, _ message: String) -> MCPFault {
        MCPFault(code, message, id: id, role: expectsReply ? .request : .unknown, size: size)
      }
      guard object["jsonrpc"]?.stringValue == "2.0" else {
        throw fault(.invalidRequest, "`jsonrpc` must be \"2.0\"")
      }
      guard let method = method.stringValue else { throw fault(.invalidRequest, "`method` must be a string") }
      let params: JSONObject?
      switch object["params"] {
      case nil, .null: params = nil
      case .object(let object): params = object
      default: throw fault(.invalidParams, "`params` must be an object")
      }
      guard expectsReply else {
        self = .notification(method: method, params: params)
        return
      }
      guard let id else { throw fault(.invalidRequest, "`id` must be an integer or a string") }
      self = .request(id, method: method, params: params)
      return
    }
    if let error = object["error"], !error.isNull {
      self = .failure(id, MCPErrorObject(json: error))
      return
    }
    guard let result = object["result"] else {
      throw MCPFault(
        .invalidRequest, "a message has a method, a result or an error", id: id, role: .unknown, size: size)
    }
    guard let id else { throw MCPFault(.invalidRequest, "a reply without an id", role: .reply, size: size) }
    guard case .object(let result) = result else {
      throw MCPFault(.invalidRequest, "a result is a JSON object", id: id, role: .reply, size: size)
    }
    self = .result(id, result)
  }
}
