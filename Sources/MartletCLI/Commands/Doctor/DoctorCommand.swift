import MartletJSON

/// `martlet doctor`: whether everything is there.
enum DoctorCommand {
  static let spec = CommandSpec(
    "doctor", "Checks what Martlet needs: toolchain, libraries, engine, models, keys, data",
    discussion: "Exit status 1 when something is missing that `martlet run` needs.",
    options: [ListFormat.option.spec]
  ) { arguments, context in
    let findings = await Examination(context: context).findings()
    switch arguments[ListFormat.option] ?? .text {
    case .text:
      let width = findings.map(\.subject.count).max() ?? 0
      for finding in findings {
        let name = finding.subject + String(repeating: " ", count: width - finding.subject.count)
        let advice = finding.advice.map { "; " + $0 } ?? ""
        try context.console.print("\(finding.state.padded)  \(name)  \(ControlFilter.line(finding.detail))\(advice)")
      }
    case .json: try context.console.print(JSONValue.array(findings.map(\.json)).text())
    case .jsonl: for finding in findings { try context.console.print(finding.json.text()) }
    }
    return findings.contains { $0.isNeeded && $0.state != .ok } ? .failed : .answered
  }
}
