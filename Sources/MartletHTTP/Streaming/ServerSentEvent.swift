/// One event of a `text/event-stream`.
public struct ServerSentEvent: Sendable, Hashable {
  /// The `event` field; `message` if there was none.
  public var type: String
  /// The `data` lines, joined with a line feed. Usually a slice of the chunk it arrived in: keep a copy (`Array(data)`)
  /// if it is to outlive that chunk by long.
  public var data: ArraySlice<UInt8>
  /// The last event id of the stream up to here (it stays until the stream sends another); empty if there was none.
  public var id: String

  /// An event.
  public init(type: String = "message", data: ArraySlice<UInt8>, id: String = "") {
    self.type = type
    self.data = data
    self.id = id
  }

  /// `data` as text; invalid UTF-8 becomes U+FFFD.
  public var text: String { String(decoding: data, as: UTF8.self) }
}
