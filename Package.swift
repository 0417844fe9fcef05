// swift-tools-version: 6.2
import Foundation
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

/// The on-device engine, llama.cpp: on Linux a static library that `scripts/setup` builds into the data directory, on
/// macOS Homebrew's. Where it is missing everything but on-device models still builds (`MARTLET_LOCAL` is not defined).
let engine: Target? = {
  let environment = Context.environment
  #if os(macOS)
    let prefixes = ["/opt/homebrew", "/usr/local"]
    guard prefixes.contains(where: { FileManager.default.fileExists(atPath: "\($0)/include/llama.h") }) else {
      return nil
    }
    return .systemLibrary(name: "CLlama", pkgConfig: "llama", providers: [.brew(["llama.cpp"])])
  #else
    let home = environment["XDG_DATA_HOME"] ?? (environment["HOME"] ?? "") + "/.local/share"
    let data = environment["MARTLET_DATA"] ?? "\(home)/martlet"
    let bundle = "\(data)/engine/current/llama.artifactbundle"
    guard FileManager.default.fileExists(atPath: bundle) else { return nil }
    // SwiftPM takes paths relative to the package only.
    let up = Context.packageDirectory.split(separator: "/").map { _ in "../" }.joined()
    return .binaryTarget(name: "CLlama", path: up + bundle.dropFirst())
  #endif
}()

/// What a target that can do without on-device models adds to have them.
let local: [Target.Dependency] = engine == nil ? [] : ["MartletLocal"]
let localSettings: [SwiftSetting] = engine == nil ? [] : [.define("MARTLET_LOCAL")]

let package = Package(
  name: "martlet",
  platforms: [.macOS(.v14), .iOS(.v17)],
  products: [
    .library(name: "Martlet", targets: ["Martlet"]),
    .library(name: "MartletTesting", targets: ["MartletTesting"]),
    .library(name: "MartletJSON", targets: ["MartletJSON"]),
    .library(name: "MartletSync", targets: ["MartletSync"]),
    .library(name: "MartletCrypto", targets: ["MartletCrypto"]),
    .library(name: "MartletHTTP", targets: ["MartletHTTP"]),
    .library(name: "MartletHTTPServer", targets: ["MartletHTTPServer"]),
    .library(name: "MartletProcess", targets: ["MartletProcess"]),
    .library(name: "MartletMCP", targets: ["MartletMCP"]),
    .library(name: "MartletTools", targets: ["MartletTools"]),
    .library(name: "MartletSQLite", targets: ["MartletSQLite"]),
    .library(name: "MartletProviders", targets: ["MartletProviders"]),
    .library(name: "MartletSimulators", targets: ["MartletSimulators"]),
    .executable(name: "martlet", targets: ["MartletCommand"]),
  ],
  targets: [
    module("MartletSync"),
    tests("MartletSync"),
    module("MartletJSON"),
    tests("MartletJSON"),
    .target(name: "CLoad"),
    .target(name: "CCrypto", dependencies: ["CLoad"]),
    module("MartletCrypto", [.target(name: "CCrypto", condition: .when(platforms: [.linux]))]),
    tests("MartletCrypto"),
    .target(name: "CCurl", dependencies: ["CLoad"]),
    module("MartletHTTP", ["MartletSync", .target(name: "CCurl", condition: .when(platforms: [.linux]))]),
    tests("MartletHTTP", ["MartletSync", "MartletTesting"]),
    .target(name: "CMicroHTTPD", dependencies: ["CLoad"]),
    module(
      "MartletHTTPServer",
      ["MartletHTTP", "MartletSync", .target(name: "CMicroHTTPD", condition: .when(platforms: [.linux]))]),
    tests("MartletHTTPServer", ["MartletHTTP", "MartletSync", "MartletTesting"]),
    .target(name: "CSpawn"),
    module("MartletProcess", ["CSpawn", "MartletSync"]),
    tests("MartletProcess", ["MartletSync"]),
    module("Martlet", ["MartletJSON", "MartletSync"]),
    tests("Martlet", ["MartletJSON", "MartletSync", "MartletTesting"]),
    module("MartletTesting", ["Martlet", "MartletJSON", "MartletSync"]),
    module("MartletProviders", ["Martlet", "MartletHTTP", "MartletJSON", "MartletSync"]),
    tests("MartletProviders", ["Martlet", "MartletHTTP", "MartletJSON", "MartletTesting"]),
    tests("MartletTesting", ["MartletJSON"]),
    .target(
      name: "CSQLite", dependencies: ["CLoad"],
      linkerSettings: [.linkedLibrary("sqlite3", .when(platforms: [.macOS, .iOS]))]),
    module("MartletSQLite", ["CSQLite", "Martlet", "MartletJSON", "MartletSync"]),
    tests("MartletSQLite", ["Martlet", "MartletJSON", "MartletTesting"]),
    module(
      "MartletSimulators",
      ["Martlet", "MartletHTTP", "MartletHTTPServer", "MartletJSON", "MartletSync", "MartletTesting"]),
    tests(
      "MartletSimulators",
      [
        "Martlet", "MartletHTTP", "MartletHTTPServer", "MartletJSON", "MartletProcess", "MartletProviders",
        "MartletSync",
        "MartletTesting",
      ]),
    module(
      "MartletMCP",
      [
        "Martlet", "MartletCrypto", "MartletHTTP", "MartletJSON",
        .target(name: "MartletProcess", condition: .when(platforms: [.linux, .macOS])), "MartletSync",
      ]),
    // A server and a client as the official conformance suite of MCP wants them: for the tests, and as programs for that
    // suite.
    .target(
      name: "MartletMCPFixtures",
      dependencies: [
        "MartletCrypto", "MartletHTTP", "MartletHTTPServer", "MartletJSON", "MartletMCP", "MartletSync",
      ],
      path: "Tests/MartletMCPFixtures", swiftSettings: strict),
    .executableTarget(
      name: "martlet-mcp-fixture", dependencies: ["MartletMCP", "MartletMCPFixtures"],
      path: "Tests/MartletMCPFixtureServer", swiftSettings: strict),
    .executableTarget(
      name: "martlet-mcp-fixture-client", dependencies: ["MartletMCPFixtures"], path: "Tests/MartletMCPFixtureClient",
      swiftSettings: strict),
    tests(
      "MartletMCP",
      [
        "Martlet", "MartletCrypto", "MartletHTTP", "MartletHTTPServer", "MartletJSON", "MartletMCPFixtures",
        "MartletProcess", "MartletSync", "MartletTesting", "martlet-mcp-fixture", "martlet-mcp-fixture-client",
      ]),
    .target(name: "CFiles"),
    module("MartletTools", ["CFiles", "Martlet", "MartletHTTP", "MartletJSON", "MartletProcess", "MartletSync"]),
    tests(
      "MartletTools",
      ["Martlet", "MartletHTTP", "MartletHTTPServer", "MartletJSON", "MartletProcess", "MartletTesting"]),
    .target(
      name: "MartletCLI",
      dependencies: [
        "Martlet", "MartletCrypto", "MartletHTTP", "MartletHTTPServer", "MartletJSON", "MartletMCP", "MartletProcess",
        "MartletProviders", "MartletSQLite", "MartletSimulators", "MartletSync", "MartletTools",
      ] + local,
      swiftSettings: strict + localSettings),
    // Not named as its product: on a file system that ignores case it would be the library Martlet.
    .executableTarget(name: "MartletCommand", dependencies: ["MartletCLI"], swiftSettings: strict),
    // The command with a scripted model, for tests.
    .executableTarget(
      name: "MartletScripted", dependencies: ["Martlet", "MartletCLI", "MartletJSON", "MartletProcess"],
      path: "Tests/MartletScripted",
      swiftSettings: strict),
    tests(
      "MartletCLI",
      [
        "Martlet", "MartletCommand", "MartletHTTP", "MartletHTTPServer", "MartletJSON", "MartletMCP", "MartletProcess",
        "MartletProviders", "MartletSQLite", "MartletScripted", "MartletSimulators", "MartletSync", "MartletTesting",
      ]),
  ]
)

if let engine {
  package.products.append(.library(name: "MartletLocal", targets: ["MartletLocal"]))
  package.targets += [
    engine,
    .target(
      name: "MartletLocal",
      dependencies: [
        "Martlet", "MartletHTTP", "MartletCrypto", "MartletJSON", "MartletProcess", "MartletSync", "CLlama",
      ], swiftSettings: strict,
      linkerSettings: [.linkedLibrary("stdc++", .when(platforms: [.linux])), .linkedLibrary("m")]),
    .executableTarget(
      name: "SmallestAgent", dependencies: ["Martlet", "MartletJSON", "MartletLocal"], path: "Examples/SmallestAgent",
      swiftSettings: strict),
    tests("MartletLocal", ["Martlet", "MartletCrypto", "MartletHTTP", "MartletJSON", "MartletProcess", "MartletSync"]),
  ]

  // The engine against a bare C loop, for scripts/bench: here and not in the package Benchmarks, because it measures
  // what is not public.
  if Context.environment["MARTLET_BENCH"] != nil {
    package.targets += [
      .target(name: "BareLoop", dependencies: ["CLlama"], path: "Benchmarks/BareLoop"),
      .executableTarget(
        name: "engine-bench", dependencies: ["MartletLocal", "BareLoop"], path: "Benchmarks/EngineBench",
        swiftSettings: strict),
    ]
  }
}
