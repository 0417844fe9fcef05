import Foundation
import MartletJSON
import Testing

@Suite(
  .enabled(
    if: OfficialSuite.directory != nil, "MARTLET_SCHEMA_SUITE is not set; get it with scripts/fetch-schema-suite"))
struct OfficialSuiteTests {
  @Test func `all required tests of draft 2020-12 pass`() throws {
    let directory = try #require(OfficialSuite.directory)
    let result = run(try OfficialSuite(directory, draft: "draft2020-12"), draft: .draft2020)
    #expect(result.total > 1_200)
    #expect(result.failures == [])
  }

  @Test(arguments: [
    ("draft4", SchemaDialect.draft4), ("draft6", .draft6), ("draft7", .draft7), ("draft2019-09", .draft2019),
  ])
  func `all required tests of older drafts pass but those that need their metaschemas`(
    folder: String, draft: SchemaDialect
  ) throws {
    let directory = try #require(OfficialSuite.directory)
    let result = run(try OfficialSuite(directory, draft: folder), draft: draft)
    // Only the metaschema of 2020-12 is built in, so references to older ones cannot be followed.
    let needMetaschema = ["validate definition against metaschema", "remote ref, containing refs itself"]
    #expect(result.failures.filter { failure in !needMetaschema.contains { failure.contains($0) } } == [])
    #expect(result.failures.count == 4)
  }

  @Test func `all tests of the formats that are asserted pass`() throws {
    let directory = try #require(OfficialSuite.directory)
    let suite = try OfficialSuite(directory, draft: "draft2020-12", folder: "optional/format")
    let formats = [
      "date-time", "date", "time", "duration", "email", "hostname", "ipv4", "ipv6", "uri", "uri-reference", "uuid",
      "json-pointer", "regex",
    ]
    let asserted = suite.selecting { formats.contains($0) }
    #expect(asserted.files.map(\.name).sorted() == formats.sorted())
    #expect(run(asserted, options: .init(assertsFormats: true), draft: .draft2020).failures == [])
  }

  @Test func `optional tests of draft 2020-12 pass`() throws {
    let directory = try #require(OfficialSuite.directory)
    let suite = try OfficialSuite(directory, draft: "draft2020-12", folder: "optional")
    // Formats are asserted by an option here, not by a vocabulary; a schema of an older draft needs its remote document.
    let asserted = suite.selecting { $0 != "format-assertion" && $0 != "cross-draft" }
    #expect(run(asserted, draft: .draft2020).failures == [])
  }

  private func run(
    _ suite: OfficialSuite, options: JSONSchema.Options = .init(), draft: SchemaDialect
  ) -> (total: Int, failures: [String]) {
    var options = options
    options.dialect = draft
    var total = 0
    var failures: [String] = []
    for file in suite.files {
      let before = (total, failures.count)
      for group in file.groups {
        total += group.tests.count
        do {
          let schema = try JSONSchema(group.schema, options: options, resources: suite.remotes)
          for test in group.tests
          where schema.isValid(test.data) != test.isValid || schema.validate(test.data).isEmpty != test.isValid {
            failures.append("\(file.name): \(group.description): \(test.description)")
          }
        } catch {
          failures += group.tests.map { "\(file.name): \(group.description): \($0.description): \(error)" }
        }
      }
      print("\(file.name): \(total - before.0 - (failures.count - before.1)) of \(total - before.0)")
    }
    print("total: \(total - failures.count) of \(total)")
    return (total, failures)
  }
}
