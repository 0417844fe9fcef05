public import MartletJSON

/// A run is over.
public struct Finished: EventPayload {
  static let type = "finished"
  /// Passes of the loop it took.
  public var iterations: Int
  /// Why it ended.
  public var reason: FinishReason
  /// The typed answer, where one was asked for.
  public var output: JSONValue?
  /// Tokens of the whole run.
  public var usage: Usage
  /// USD of the whole run; nil where no price is known.
  public var cost: Double?

  /// The fields of the event.
  public init(
    iterations: Int, reason: FinishReason, output: JSONValue? = nil, usage: Usage = Usage(), cost: Double? = nil
  ) {
    self.iterations = iterations
    self.reason = reason
    self.output = output
    self.usage = usage
    self.cost = cost
  }

  init(_ fields: JSONFields) throws {
    self.init(
      iterations: try fields.int("iterations"),
      reason: try fields.value("reason"),
      output: fields["output"],
      usage: try fields.value("usage"),
      cost: try fields.doubleIfPresent("cost"))
  }

  func write(into object: inout JSONObject) {
    object["iterations"] = .number(JSONNumber(iterations))
    object["reason"] = reason.json
    object.set("output", output)
    object["usage"] = usage.json
    object["cost"] = cost.map { JSONValue(finite: $0) } ?? .null
  }

  var event: AgentEvent { .finished(self) }
}
