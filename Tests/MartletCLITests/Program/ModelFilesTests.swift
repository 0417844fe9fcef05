import Foundation
import MartletJSON
import Testing

@testable import MartletCLI

/// `martlet models` and `doctor` where model files are missing, cut off or wrong. Nothing here asks the network.
@Suite(.enabled(if: OnDevice.hasEngine, "built without the on-device engine"))
struct `model files` {
  static let name = "smollm2-135m"
  static let file = "data/models/smollm2-135m/SmolLM2-135M-Instruct.Q4_1.gguf"
  static let size = 98_362_432

  @Test func `list, info and doctor say what is missing, and doctor what to do`() async throws {
    let program = try Program()
    let list = try await program.run(["models", "list", "--output", "jsonl"])
    #expect(list.status == 0)
    let models = try list.output.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
    #expect(models.map { $0["name"] } == ["qwen2.5-coder-0.5b", "smollm2-135m"])
    #expect(models.allSatisfy { $0["state"] == "missing" })
    let info = try await program.run(["models", "info", Self.name])
    #expect(info.status == 0)
    for part in ["SHA-256:  b179c95", "Apache-2.0", "state:    missing"] { #expect(info.output.contains(part)) }
    let doctor = try await program.run(["doctor", "--output", "json"])
    #expect(doctor.status == 1)
    let findings = try #require(try JSONValue(parsing: doctor.output).arrayValue)
    #if os(Linux)
      for library in ["libcrypto", "libcurl", "libmicrohttpd"] {
        #expect(findings.first { $0["subject"] == .string(library) }?["state"] == "ok")
      }
    #endif
    let model = try #require(findings.first { $0["subject"] == "model qwen2.5-coder-0.5b" })
    #expect(model["state"] == "missing")
    #expect(model["needed"] == true)
    #expect(model["advice"] == "run `martlet models pull qwen2.5-coder-0.5b`")
    #expect(!program.home.exists("data"), "looking makes nothing")
  }

  @Test func `a fetch that was cut off says how far it came`() async throws {
    let program = try Program()
    try program.home.write(Self.file + ".partial", bytes: [UInt8](repeating: 0, count: Self.size / 4))
    let list = try await program.run(["models", "list"])
    #expect(list.output.contains("partial (25 %)"), "\(list.output)")
    let run = try await program.run(["run", "hi", "--model", "local:\(Self.name)"])
    #expect(run.status == 1)
    #expect(run.error.contains("run `martlet models pull \(Self.name)`"), "\(run.error)")
  }

  @Test(arguments: [size, 7])
  func `a file that is another is never used and never overwritten`(_ length: Int) async throws {
    let program = try Program()
    let path = try program.home.write(Self.file, bytes: [UInt8](repeating: 7, count: length))
    for arguments in [["models", "pull", Self.name], ["run", "hi", "--model", "local:\(Self.name)"]] {
      let outcome = try await program.run(arguments)
      #expect(outcome.status == 1)
      #expect(outcome.output == "")
      #expect(outcome.error.contains("(wrong size or SHA-256); delete it and run"), "\(outcome.error)")
      #expect(outcome.error.split(separator: "\n").count { $0.hasPrefix("error: ") } == 1)
    }
    let info = try await program.run(["models", "info", Self.name])
    #expect(info.status == 1)
    #expect(info.output.contains("state:    wrong"))
    #expect(FileAccess.size(path) == length)
  }

  @Test func `a file that is no model, and a name that is none, are mistakes`() async throws {
    let program = try Program()
    try program.home.write("notes.gguf", "not a model")
    for (model, says) in [
      ("local:notes.gguf", "not a model in the GGUF format"), ("local:none.gguf", "no model file"),
      ("local:qwen2.5-coder", "There is no model named qwen2.5-coder"),
    ] {
      let outcome = try await program.run(["run", "hi", "--model", model])
      #expect(outcome.status == 2)
      #expect(outcome.error.lowercased().contains(says.lowercased()), "\(outcome.error)")
    }
    let pull = try await program.run(["models", "pull", "smollm"])
    #expect(pull.status == 2)
    #expect(pull.error.contains("there is no model \"smollm\""))
  }

  @Test(arguments: [
    ("{", "-:1:2: "), ("[]", "must be a JSON object"), ("{}", "messages must be a list"),
    (#"{"messages":[{"role":"robot"}]}"#, "has the role robot"),
    (#"{"messages":[{"role":"user","content":[{"type":"image_url"}]}]}"#, "parts that are not text"),
    (#"{"messages":[{"role":"user","content":"x"}],"tools":[{}]}"#, "tool 0 needs a function with a name"),
  ])
  func `a request file that cannot be read says where`(_ request: String, _ says: String) async throws {
    guard let small = OnDevice.small else { return }
    let outcome = try await Program().run(["models", "turn", "-", "--model", "local:\(small)"], input: request)
    #expect(outcome.status == 2)
    #expect(outcome.output == "")
    #expect(outcome.error.contains(says), "\(outcome.error)")
  }
}
