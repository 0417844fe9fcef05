import Foundation
import Testing

@testable import MartletLocal

/// The models that tests run on when they are there: `scripts/setup` fetches them into the data directory.
enum TestModels {
  static let small = path("smollm2-135m/SmolLM2-135M-Instruct.Q4_1.gguf")
  static let standard = path("qwen2.5-coder-0.5b/qwen2.5-coder-0.5b-instruct-q4_k_m.gguf")

  static let missing: Comment = "the model is not in the data directory; scripts/setup fetches it"

  private static func path(_ file: String) -> String? {
    let environment = ProcessInfo.processInfo.environment
    let home = environment["XDG_DATA_HOME"] ?? (environment["HOME"] ?? "") + "/.local/share"
    let path = (environment["MARTLET_DATA"] ?? "\(home)/martlet") + "/models/" + file
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }
}
