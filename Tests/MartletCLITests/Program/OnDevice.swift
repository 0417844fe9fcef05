import Foundation
import Testing

@testable import MartletCLI

/// The engine and the models that are here, by their paths.
enum OnDevice {
  static let hasEngine: Bool = {
    #if os(Linux)
      return FileAccess.exists(data + "/engine/current/llama.artifactbundle")
    #else
      return ["/opt/homebrew", "/usr/local"].contains { FileAccess.exists($0 + "/include/llama.h") }
    #endif
  }()
  static let small = file("smollm2-135m/SmolLM2-135M-Instruct.Q4_1.gguf")
  static let standard = file("qwen2.5-coder-0.5b/qwen2.5-coder-0.5b-instruct-q4_k_m.gguf")
  static let missing: Comment = "the model or the engine is not here; scripts/setup fetches them"

  private static func file(_ name: String) -> String? {
    let path = "\(data)/models/\(name)"
    return hasEngine && FileAccess.exists(path) ? path : nil
  }

  private static var data: String {
    let environment = ProcessInfo.processInfo.environment
    let home = environment["XDG_DATA_HOME"] ?? (environment["HOME"] ?? "") + "/.local/share"
    return environment["MARTLET_DATA"] ?? "\(home)/martlet"
  }
}
