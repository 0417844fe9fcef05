// swift-tools-version: 6.2
import PackageDescription

// Fuzz targets for libFuzzer, run by `scripts/fuzz`. To add one: a line below, and one file in `Sources/<name>` that
// defines `LLVMFuzzerTestOneInput` and traps when a property does not hold. `Seeds/<name>` may hold inputs to begin with.

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

/// A fuzz target over products of the package, and the static library by which the script links it.
let fuzzers: [(name: String, products: [String])] = [
  ("JSONText", ["MartletJSON"]),
  ("JSONSchemas", ["MartletJSON"]),
  ("Patterns", ["MartletJSON"]),
  ("EventStreams", ["MartletHTTP"]),
  ("HTTPDates", ["MartletHTTP"]),
  ("EventRecords", ["Martlet", "MartletJSON"]),
  ("ToolCalls", ["Martlet", "MartletJSON"]),
  ("Skills", ["Martlet"]),
  ("Challenges", ["MartletHTTP", "MartletJSON", "MartletMCP"]),
  ("MCPMessages", ["MartletMCP"]),
  ("Recordings", ["Martlet"]),
]

let package = Package(
  name: "fuzz",
  platforms: [.macOS(.v14)],
  products: fuzzers.map { .library(name: $0.name, type: .static, targets: [$0.name]) },
  dependencies: [.package(name: "martlet", path: "..")],
  targets: fuzzers.map { fuzzer in
    .target(
      name: fuzzer.name, dependencies: fuzzer.products.map { .product(name: $0, package: "martlet") },
      swiftSettings: strict)
  }
)
