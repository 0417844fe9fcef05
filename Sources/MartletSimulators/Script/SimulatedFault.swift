public import MartletHTTP
import MartletJSON

/// What goes wrong with a request. Several faults may come together.
///
/// As JSON, with the names of the fields below in snake case: `{"status": 429, "headers": {"retry-after": "2"}}`,
/// `{"cut_after": 300, "chunk_size": 1}`. Times are in milliseconds: `head_delay_ms`, `first_byte_delay_ms`, `pace_ms`.
public struct SimulatedFault: Sendable, Hashable {
  /// How lines of a stream end.
  public enum LineBreak: String, Sendable, Hashable, CaseIterable {
    /// `\n`
    case lf = "\n"
    /// `\r`
    case cr = "\r"
    /// `\r\n`
    case crlf = "\r\n"
  }

  /// The answer is an error with this status, in the provider's own form, instead of a reply.
  public var status: Int?
  /// Headers of the answer: `retry-after`, `retry-after-ms`, `x-should-retry`, … They replace the usual ones of the name.
  public var headers: HTTPHeaders
  /// The kind of error, in the provider's words, where the one that fits the status is not meant.
  public var errorType: String?
  /// OpenAI's `code`, such as `insufficient_quota`.
  public var errorCode: String?
  /// What the error says, where not the provider's usual words.
  public var errorMessage: String?
  /// The delay of Google's `RetryInfo`, as `34s`.
  public var retryDelay: String?
  /// The whole body of the answer, instead of any other: a proxy's page, nothing, half a document.
  public var body: String?
  /// The media type that the answer claims.
  public var contentType: String?
  /// The reply is one JSON document although a stream was asked for.
  public var isWhole: Bool
  /// Before the head of the response.
  public var headDelay: Duration?
  /// Between the head and the first byte of the body.
  public var firstByteDelay: Duration?
  /// Between chunks of the body.
  public var pace: Duration?
  /// Nothing comes any more after so many bytes of the body, until the client leaves.
  public var stallAfter: Int?
  /// The connection breaks after so many bytes of the body.
  public var cutAfter: Int?
  /// The body ends, as if it were complete, after so many bytes.
  public var endAfter: Int?
  /// The provider reports an error in the stream after so many of its events. `errorType`, `errorCode` and
  /// `errorMessage` say which.
  public var errorAfter: Int?
  /// How lines end, where not as the provider does it.
  public var lineBreak: LineBreak?
  /// A comment stands before each event (server-sent events only).
  public var hasComments: Bool
  /// Bytes of a chunk, instead of one chunk for each event.
  public var chunkSize: Int?

  /// A fault.
  public init(
    status: Int? = nil, headers: HTTPHeaders = [:], errorType: String? = nil, errorCode: String? = nil,
    errorMessage: String? = nil, retryDelay: String? = nil, body: String? = nil, contentType: String? = nil,
    isWhole: Bool = false, headDelay: Duration? = nil, firstByteDelay: Duration? = nil, pace: Duration? = nil,
    stallAfter: Int? = nil, cutAfter: Int? = nil, endAfter: Int? = nil, errorAfter: Int? = nil,
    lineBreak: LineBreak? = nil, hasComments: Bool = false, chunkSize: Int? = nil
  ) {
    self.status = status
    self.headers = headers
    self.errorType = errorType
    self.errorCode = errorCode
    self.errorMessage = errorMessage
    self.retryDelay = retryDelay
    self.body = body
    self.contentType = contentType
    self.isWhole = isWhole
    self.headDelay = headDelay
    self.firstByteDelay = firstByteDelay
    self.pace = pace
    self.stallAfter = stallAfter
    self.cutAfter = cutAfter
    self.endAfter = endAfter
    self.errorAfter = errorAfter
    self.lineBreak = lineBreak
    self.hasComments = hasComments
    self.chunkSize = chunkSize.map { max(1, $0) }
  }

  /// Too many requests. Each provider's own error, with these headers.
  public static func rateLimited(headers: HTTPHeaders = [:]) -> Self { Self(status: 429, headers: headers) }

  init(json: JSONValue, at place: String) throws {
    let fields = try ScriptFields(
      json, at: place,
      known: [
        "status", "headers", "error_type", "error_code", "error_message", "retry_delay", "body", "content_type",
        "whole", "head_delay_ms", "first_byte_delay_ms", "pace_ms", "stall_after", "cut_after", "end_after",
        "error_after", "line_break", "comments", "chunk_size",
      ])
    var headers = HTTPHeaders()
    if let value = fields.value("headers") {
      guard let object = value.objectValue else {
        throw SimulatorScriptError(place: "\(place).headers", message: "an object is expected")
      }
      for (name, value) in object { headers.add(name, value.stringValue ?? value.text()) }
    }
    let breaks: [String: LineBreak] = ["lf": .lf, "cr": .cr, "crlf": .crlf]
    let lineBreak = try fields.string("line_break").map { word throws(SimulatorScriptError) in
      guard let lineBreak = breaks[word] else {
        throw SimulatorScriptError(place: "\(place).line_break", message: "one of lf, cr, crlf is expected")
      }
      return lineBreak
    }
    self.init(
      status: try fields.count("status", from: 200), headers: headers, errorType: try fields.string("error_type"),
      errorCode: try fields.string("error_code"), errorMessage: try fields.string("error_message"),
      retryDelay: try fields.string("retry_delay"), body: try fields.string("body"),
      contentType: try fields.string("content_type"), isWhole: try fields.bool("whole") ?? false,
      headDelay: try fields.milliseconds("head_delay_ms"),
      firstByteDelay: try fields.milliseconds("first_byte_delay_ms"), pace: try fields.milliseconds("pace_ms"),
      stallAfter: try fields.count("stall_after"), cutAfter: try fields.count("cut_after"),
      endAfter: try fields.count("end_after"), errorAfter: try fields.count("error_after"), lineBreak: lineBreak,
      hasComments: try fields.bool("comments") ?? false, chunkSize: try fields.count("chunk_size", from: 1))
  }
}
