import Martlet
import MartletJSON

/// Folds a log, one record a line, as a store or a client would get it: torn, out of order, of another version.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var loop = AgentLoop()
  var transcript = Transcript()
  for line in UnsafeBufferPointer(start: start, count: count).split(separator: UInt8(ascii: "\n")) {
    guard let json = try? JSONValue(parsing: line), let record = try? EventRecord(json: json) else { continue }
    let again = try? EventRecord(json: record.json)
    precondition(again == record, "a record that is written reads as another one")
    loop.apply(record)
    _ = transcript.apply(record)
    _ = loop.pendingEffects
  }
  for effect in loop.pendingEffects {
    if case .callModel(let call) = effect { _ = loop.request(for: call, session: "s") }
  }
  // What an app puts in place of the conversation is mended, whatever it is.
  let mended = HistoryRepair.repaired(Array(loop.history))
  precondition(HistoryRepair.repaired(mended) == mended, "mending twice gives another history")
  return 0
}
