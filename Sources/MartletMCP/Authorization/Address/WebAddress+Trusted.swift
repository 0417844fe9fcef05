extension WebAddress {
  var zone: NetworkZone { NetworkZone(host: host) ?? .thisMachine }

  /// A URL that `text` names and that a client of `server` may use: encrypted, unless it leads to this machine, and not
  /// further inside than the server itself, which must not use its clients to reach what it cannot.
  static func trusted(
    _ text: String, named what: String, by server: WebAddress
  ) throws(AuthorizationError) -> WebAddress {
    guard let address = WebAddress(text) else {
      throw AuthorizationError(.unsafeAddress, "The \(what) is not an absolute https URL.")
    }
    guard address.isEncrypted || address.zone == .thisMachine else {
      throw AuthorizationError(.unsafeAddress, "The \(what) is not encrypted (\(address.origin)); https is needed.")
    }
    guard address.zone <= server.zone else {
      throw AuthorizationError(
        .unsafeAddress,
        "The \(what) leads into a private network (\(address.origin)), which \(server.origin) is not part of.")
    }
    return address
  }
}
