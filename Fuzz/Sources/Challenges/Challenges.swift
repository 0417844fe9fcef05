import MartletHTTP
import MartletJSON
import MartletMCP

/// Reads a `WWW-Authenticate` header, which must come back from what is written of it, and a stored grant.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let text = String(decoding: bytes, as: UTF8.self)
  for challenge in AuthenticationChallenge.all(in: ["www-authenticate": text]) {
    precondition(!challenge.scheme.isEmpty, "a challenge without a scheme")
    let written = challenge.headerValue
    precondition(written.utf8.allSatisfy { $0 == 9 || $0 >= 32 && $0 != 127 }, "a header that is none")
  }
  if let value = try? JSONValue(parsing: bytes), let grant = OAuthGrant(stored: value) {
    precondition(OAuthGrant(stored: grant.document) == grant, "a grant that changes when it is kept")
  }
  return 0
}
