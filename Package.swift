// swift-tools-version: 6.2
import PackageDescription

/// The settings of every Swift target: Swift 6 mode with the upcoming features on, and no warning let through.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

/// A library target with a product of the same name.
func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

/// The tests of a target, in `Tests/<name>Tests`.
func tests(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: [.target(name: name)] + dependencies, swiftSettings: strict)
}

let package = Package(
  name: "martlet",
  platforms: [.macOS(.v14), .iOS(.v17)],
  products: [
    .library(name: "MartletJSON", targets: ["MartletJSON"]),
    .library(name: "MartletSync", targets: ["MartletSync"]),
    .library(name: "MartletCrypto", targets: ["MartletCrypto"]),
    .library(name: "MartletHTTP", targets: ["MartletHTTP"]),
  ],
  targets: [
    module("MartletSync"),
    tests("MartletSync"),
    module("MartletJSON"),
    tests("MartletJSON"),
    .systemLibrary(name: "CCrypto", providers: [.apt(["libssl-dev"])]),
    module("MartletCrypto", [.target(name: "CCrypto", condition: .when(platforms: [.linux]))]),
    tests("MartletCrypto"),
    module("MartletHTTP", ["MartletSync"]),
    tests("MartletHTTP", ["MartletSync"]),
  ]
)
