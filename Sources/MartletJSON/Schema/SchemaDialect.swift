/// The draft a schema is written in, from its `$schema`. Everything unknown counts as 2020-12.
package enum SchemaDialect: Comparable, Hashable, Sendable {
  case draft4, draft6, draft7, draft2019, draft2020

  init?(uri: String) {
    let known: [(String, Self)] = [
      ("json-schema.org/draft-04/schema", .draft4), ("json-schema.org/draft-06/schema", .draft6),
      ("json-schema.org/draft-07/schema", .draft7), ("json-schema.org/draft/2019-09/schema", .draft2019),
      ("json-schema.org/draft/2020-12/schema", .draft2020),
    ]
    guard let match = known.first(where: { uri.contains($0.0) }) else { return nil }
    self = match.1
  }

  var idKeyword: String { self == .draft4 ? "id" : "$id" }

  /// Up to draft 7 a `$ref` replaces everything beside it.
  var referenceStandsAlone: Bool { self <= .draft7 }

  /// Up to 2019-09 `items` may be an array (now `prefixItems`) with `additionalItems` beside it.
  var hasItemsArray: Bool { self <= .draft2019 }
}
