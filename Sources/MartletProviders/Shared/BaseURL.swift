/// Addresses under a base as users write them: with or without a slash at the end, with a query that stays at the end
/// (Azure's `api-version`), with or without the part that all of an API's paths begin with.
struct BaseURL: Sendable, Hashable {
  private let address: String
  private let query: Substring?

  /// - Parameters:
  ///   - version: the path of the API that a base without a path gets, such as `/v1`.
  ///   - suffix: what paths begin with already, such as `/v1`, and bases may end with all the same.
  init(_ base: String, version: String = "", dropping suffix: String = "") {
    let parts = base.split(separator: "?", maxSplits: 1)
    var address = parts.first.map(String.init) ?? ""
    while address.hasSuffix("/") { address.removeLast() }
    query = parts.count > 1 ? parts[1] : nil
    // `http://host` splits into `http:` and `host`.
    if query == nil, address.split(separator: "/").count == 2 { address += version }
    if !suffix.isEmpty, address.hasSuffix(suffix) { address.removeLast(suffix.count) }
    self.address = address
  }

  /// The address of a path, which may have a query of its own.
  func url(_ path: String) -> String {
    guard let query else { return address + path }
    return "\(address)\(path)\(path.utf8.contains(UInt8(ascii: "?")) ? "&" : "?")\(query)"
  }
}
