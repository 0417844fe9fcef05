// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that users of the library never resolve or build it. To add a benchmark: an executable
// target here over `BenchmarkKit`, and its name in `scripts/bench`.

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

func benchmark(_ name: String, _ products: [String]) -> Target {
  .executableTarget(
    name: name,
    dependencies: ["BenchmarkKit"] + products.map { .product(name: $0, package: "martlet") },
    swiftSettings: strict)
}

let package = Package(
  name: "benchmarks",
  platforms: [.macOS(.v14)],
  dependencies: [.package(name: "martlet", path: "..")],
  targets: [
    .target(name: "BenchmarkKit", swiftSettings: strict),
    // SQLite itself, which the store is compared with.
    .systemLibrary(name: "CRawSQLite", path: "CRawSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .executableTarget(
      name: "session-bench",
      dependencies: ["CRawSQLite"]
        + ["Martlet", "MartletJSON", "MartletSQLite", "MartletTesting"].map { .product(name: $0, package: "martlet") },
      swiftSettings: strict),
    benchmark("json-bench", ["MartletJSON"]),
    benchmark("stream-bench", ["Martlet", "MartletHTTP", "MartletProviders"]),
    benchmark("loop-bench", ["Martlet", "MartletJSON", "MartletTesting"]),
    benchmark(
      "agents-bench",
      [
        "Martlet", "MartletHTTP", "MartletHTTPServer", "MartletJSON", "MartletProcess", "MartletProviders",
        "MartletSimulators",
      ]),
    benchmark("provider-bench", ["Martlet", "MartletHTTP", "MartletProviders"]),
    benchmark("mcp-bench", ["MartletHTTP", "MartletHTTPServer", "MartletJSON", "MartletMCP", "MartletProcess"]),
  ]
)

// Needs the on-device engine; `scripts/measure-local` sees to it that it is there.
if Context.environment["MARTLET_MEASURE_LOCAL"] != nil {
  package.targets.append(
    .executableTarget(
      name: "local-measure",
      dependencies: ["Martlet", "MartletLocal", "MartletTools"].map { .product(name: $0, package: "martlet") },
      swiftSettings: strict))
}
