import Martlet

/// Reads a text as a skill's file.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  let (skill, problems) = Skill.read(text, folder: "folder")
  let lines = text.utf8.count { $0 == 0x0A } + 1
  precondition(problems.allSatisfy { (1...lines).contains($0.line) }, "a problem is told of a line that is not there")
  guard let skill else {
    precondition(problems.contains { $0.severity == .broken }, "a skill is dropped without a word")
    return 0
  }
  precondition(!problems.contains { $0.severity == .broken }, "a broken skill is used")
  precondition(!skill.name.isEmpty && !skill.description.isEmpty, "a skill without name or description is used")
  precondition(!skill.summary.utf8.contains(0x0A), "a skill takes more than one line of the list")
  return 0
}
