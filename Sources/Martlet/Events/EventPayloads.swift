import MartletJSON

struct IterationStarted: EventPayload {
  static let type = "iteration_started"
  var iteration: Int
  init(iteration: Int) { self.iteration = iteration }
  init(_ fields: JSONFields) throws { iteration = try fields.int("iteration") }
  func write(into object: inout JSONObject) { object["iteration"] = .number(JSONNumber(iteration)) }
  var event: AgentEvent { .iterationStarted(iteration) }
}

struct MetricsPayload: EventPayload {
  static let type = "metrics"
  var metrics: Metrics
  init(metrics: Metrics) { self.metrics = metrics }
  init(_ fields: JSONFields) throws { metrics = try Metrics(fields) }
  func write(into object: inout JSONObject) { metrics.write(into: &object) }
  var event: AgentEvent { .metrics(metrics) }
}
