/// A stretch of markup that holds tool calls: what a dialect's opening marker begins.
///
/// A section is a state machine over the stream. It must decide by the bytes alone, never by where a delta ends, so that
/// all ways of cutting a stream give the same calls.
protocol CallSection: Sendable {
  /// Reads on, adding to `events`, until more bytes are needed or the section is over.
  ///
  /// `cursor.position` is left after the last byte that was looked at; at `.end` that is where prose goes on.
  mutating func advance(_ cursor: inout ByteCursor, _ events: inout [SectionEvent]) -> SectionStatus
}

enum SectionStatus: Sendable {
  /// More bytes are needed. Never returned when the cursor is final.
  case more
  /// The section is over.
  case end
  /// What was read since the last event that consumed bytes is no markup after all: it is prose.
  /// Never returned between `started` and its `call`.
  case reject
  /// What follows is the model's thinking, up to one of the literals.
  case thinking(closers: [[UInt8]])
}

enum SectionEvent: Sendable {
  /// A call has a name: a preview.
  case started(name: String)
  /// Bytes of the started call's arguments, as JSON text: a preview.
  case arguments(Range<Int>)
  /// More of the started call's arguments as JSON text: a preview for dialects that do not write JSON.
  case argumentsText(String)
  /// A call, read in full; everything before `end` is consumed.
  case call(ToolCallParser.Call, end: Int)
  /// Everything before the offset is markup.
  case consumed(Int)
}
