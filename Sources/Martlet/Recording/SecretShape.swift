/// What keys look like: a beginning that nothing else has, then many letters.
///
/// The forms are the published ones of the services, RFC 7519 for tokens, RFC 7468 for private keys, RFC 6750 for
/// `Authorization: Bearer` and RFC 3986 for passwords in URLs; and values that are named as secrets (`SecretName`). Where in
/// doubt, it is a key.
struct SecretShape: Sendable {
  let prefix: [UInt8]
  /// What may follow the beginning.
  let isPart: @Sendable (UInt8) -> Bool
  /// How much must follow, at least.
  let least: Int
  /// How much must follow if there is a digit among it.
  var leastWithDigit: Int?
  /// Whether no letter may stand before it.
  var isWord = true

  private static let all: [SecretShape] =
    [
      SecretShape("sk-", isWordByte, least: 16, leastWithDigit: 8), SecretShape("AIza", isWordByte, least: 30),
      SecretShape("github_pat_", isWordByte, least: 20), SecretShape("gsk_", isAlphanumeric, least: 20),
      SecretShape("xai-", isAlphanumeric, least: 20), SecretShape("hf_", isAlphanumeric, least: 20),
      SecretShape("AKIA", isCapital, least: 16), SecretShape("ASIA", isCapital, least: 16),
      // SendGrid, Google's OAuth, Amazon Bedrock, Slack's addresses, Dropbox, age.
      SecretShape("SG.", isDottedByte, least: 40), SecretShape("ya29.", isDottedByte, least: 20),
      SecretShape("GOCSPX-", isWordByte, least: 20), SecretShape("1//0", isWordByte, least: 30),
      SecretShape("AQ.", isDottedByte, least: 35), SecretShape("ABSK", isBase64, least: 60),
      SecretShape("hooks.slack.com/services/", isBase64, least: 20), SecretShape("sl.", isDottedByte, least: 60),
      SecretShape("AGE-SECRET-KEY-1", isCapital, least: 50),
    ]
    + ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"].map { SecretShape($0, isAlphanumeric, least: 20) }
    // Stripe, npm, Shopify, Databricks, Docker.
    + ["sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_", "fw_"].map {
      SecretShape($0, isAlphanumeric, least: 16)
    }
    + ["npm_", "dapi", "shpat_", "shpca_", "shppa_", "shpss_", "r8_", "glsa_", "e2b_"].map {
      SecretShape($0, isAlphanumeric, least: 28)
    }
    // GitLab, PyPI, DigitalOcean, Slack's apps, Square, Linear, Notion, Perplexity, Tavily, NVIDIA, Cerebras, Jina,
    // LangSmith, Atlassian, Supabase, PlanetScale, Postman, RubyGems, Sentry, New Relic, Heroku, Firecrawl.
    + [
      "glpat-", "gldt-", "glrt-", "glptt-", "glcbt-", "xapp-", "xoxe-", "sq0atp-", "sq0csp-", "sb_secret_", "tvly-",
      "dckr_pat_", "NRAK-",
    ].map { SecretShape($0, isWordByte, least: 16) }
    + [
      "pypi-", "dop_v1_", "doo_v1_", "dor_v1_", "lin_api_", "ntn_", "pplx-", "nvapi-", "csk-", "jina_", "lsv2_pt_",
      "lsv2_sk_", "ATATT3", "ATBB", "sbp_", "pscale_tkn_", "pscale_pw_", "PMAK-", "rubygems_", "sntrys_", "sntryu_",
      "HRKU-", "fc-", "glc_", "fo1_", "api_org_",
    ].map { SecretShape($0, isWordByte, least: 28) }
    // HashiCorp Vault, Doppler.
    + ["hvs.", "hvb.", "hvr.", "dp.pt.", "dp.st."].map { SecretShape($0, isDottedByte, least: 24) }
    + "abceoprst".map { SecretShape("xox\($0)-", isWordByte, least: 8) }

  /// The shapes by their first byte.
  private static let byFirst: [[SecretShape]] = {
    var shapes = [[SecretShape]](repeating: [], count: 256)
    for shape in all { shapes[Int(shape.prefix[0])].append(shape) }
    return shapes
  }()

  private init(
    _ prefix: String, _ isPart: @escaping @Sendable (UInt8) -> Bool, least: Int, leastWithDigit: Int? = nil
  ) {
    self.prefix = Array(prefix.utf8)
    self.isPart = isPart
    self.least = least
    self.leastWithDigit = leastWithDigit
  }

  typealias Bytes = UnsafeBufferPointer<UInt8>

  /// The secret that begins at a place, if one does.
  static func secret(at index: Int, in bytes: Bytes) -> Range<Int>? {
    switch bytes[index] {
    case UInt8(ascii: "e"): return token(at: index, in: bytes)
    case UInt8(ascii: "-"): return privateKey(at: index, in: bytes)
    case UInt8(ascii: "B"), UInt8(ascii: "b"): return bearer(at: index, in: bytes)
    case UInt8(ascii: ":"): return password(at: index, in: bytes) ?? SecretName.value(at: index, in: bytes)
    case UInt8(ascii: "="): return SecretName.value(at: index, in: bytes)
    default: break
    }
    for shape in byFirst[Int(bytes[index])] {
      guard begins(shape.prefix, at: index, in: bytes), isWordStart(index, in: bytes) else { continue }
      var end = index + shape.prefix.count
      var hasDigit = false
      while end < bytes.count, shape.isPart(bytes[end]) {
        hasDigit = hasDigit || isDigit(bytes[end])
        end += 1
      }
      let count = end - index - shape.prefix.count
      if count >= (hasDigit ? shape.leastWithDigit ?? shape.least : shape.least) { return index..<end }
    }
    return nil
  }

  /// Whether what begins at a place, and goes on to the end, may become a secret or a longer one.
  static func mayBegin(at index: Int, in bytes: Bytes) -> Bool {
    let rest = Bytes(rebasing: bytes[index...])
    switch bytes[index] {
    case UInt8(ascii: "e"): return goesOn(rest, from: [0x65, 0x79, 0x4A]) { isWordByte($0) || $0 == 0x2E }
    case UInt8(ascii: "-"):
      guard goesOn(rest, from: keyBegin, { _ in true }) else { return false }
      return find(keyEnd, in: rest) == nil
    case UInt8(ascii: "A"), UInt8(ascii: "a"), UInt8(ascii: "B"), UInt8(ascii: "b"):
      for word in ["authorization", "bearer", "basic"] {
        let letters = Array(word.utf8)
        let common = min(letters.count, rest.count)
        guard (0..<common).allSatisfy({ rest[$0] | 0x20 == letters[$0] }) else { continue }
        let tail = Bytes(rebasing: rest[common...])
        if isHeaderValue(tail) { return true }
      }
    case UInt8(ascii: ":"):
      if goesOn(rest, from: [0x3A, 0x2F, 0x2F], isUserInfo) { return true }
      if SecretName.mayGoOn(at: index, in: bytes) { return true }
    case UInt8(ascii: "="): if SecretName.mayGoOn(at: index, in: bytes) { return true }
    default: break
    }
    return byFirst[Int(bytes[index])].contains { goesOn(rest, from: $0.prefix, $0.isPart) }
  }

  private static func goesOn(_ rest: Bytes, from prefix: [UInt8], _ isPart: (UInt8) -> Bool) -> Bool {
    if rest.count <= prefix.count { return prefix.starts(with: rest) }
    return rest.starts(with: prefix) && rest[prefix.count...].allSatisfy(isPart)
  }

  /// At most a few signs and words, then a token that goes on.
  private static func isHeaderValue(_ tail: Bytes) -> Bool {
    let words = tail.split { isSpace($0) || [0x22, 0x27, 0x3A, 0x3D, 0x5C].contains($0) }
    return words.count <= 2
  }

  // MARK: Shapes of their own

  /// A JSON Web Token: three parts, the first of which begins with the encoding of `{"`.
  private static func token(at index: Int, in bytes: Bytes) -> Range<Int>? {
    guard begins([0x65, 0x79, 0x4A], at: index, in: bytes), isWordStart(index, in: bytes) else { return nil }
    var end = index
    for part in 0..<3 {
      let start = end
      while end < bytes.count, isWordByte(bytes[end]) { end += 1 }
      if part < 2 {
        guard end - start >= 8, end < bytes.count, bytes[end] == UInt8(ascii: ".") else { return nil }
        end += 1
      }
    }
    return index..<end
  }

  private static let keyBegin = Array("-----BEGIN ".utf8)
  private static let keyEnd = Array("-----END ".utf8)
  private static let keyWord = Array("PRIVATE KEY-----".utf8)
  private static let keyBlock = Array("PRIVATE KEY BLOCK-----".utf8)

  /// What is between the first and the last line of a private key.
  private static func privateKey(at index: Int, in bytes: Bytes) -> Range<Int>? {
    guard begins(keyBegin, at: index, in: bytes) else { return nil }
    let head = Bytes(rebasing: bytes[(index + keyBegin.count)..<min(bytes.count, index + 64)])
    // RFC 7468's keys, and those of OpenPGP.
    guard
      let (word, length) = [keyWord, keyBlock].lazy.compactMap({ word in find(word, in: head).map { ($0, word.count) } }
      )
      .first
    else { return nil }
    var start = index + keyBegin.count + word + length
    // The line break is no part of it, and neither is an escaped one.
    while start < bytes.count {
      if isSpace(bytes[start]) {
        start += 1
      } else if start + 1 < bytes.count, bytes[start] == UInt8(ascii: "\\"), [0x6E, 0x72].contains(bytes[start + 1]) {
        start += 2
      } else {
        break
      }
    }
    let rest = Bytes(rebasing: bytes[start...])
    let end = start + (find(keyEnd, in: rest) ?? rest.count)
    return start < end ? start..<end : nil
  }

  /// The token of an `Authorization` header, also where the header is not named but the token is one.
  private static func bearer(at index: Int, in bytes: Bytes) -> Range<Int>? {
    for word in ["bearer", "basic"] {
      let letters = Array(word.utf8)
      guard index + letters.count < bytes.count, isWordStart(index, in: bytes),
        letters.indices.allSatisfy({ bytes[index + $0] | 0x20 == letters[$0] })
      else { continue }
      var start = index + letters.count
      guard isSpace(bytes[start]) else { continue }
      while start < bytes.count, isSpace(bytes[start]) { start += 1 }
      var end = start
      var hasDigit = false
      while end < bytes.count, isTokenByte(bytes[end]) {
        hasDigit = hasDigit || isDigit(bytes[end])
        end += 1
      }
      let isHeader = isNamedAuthorization(before: index, in: bytes)
      if isHeader ? end - start >= 4 : end - start >= 16 && hasDigit { return start..<end }
    }
    return nil
  }

  private static func isNamedAuthorization(before index: Int, in bytes: Bytes) -> Bool {
    let name = Array("authorization".utf8)
    var end = index
    while end > 0, isSpace(bytes[end - 1]) || [0x22, 0x27, 0x3A, 0x3D, 0x5C].contains(bytes[end - 1]) { end -= 1 }
    guard end >= name.count, index - end <= 8 else { return false }
    return name.indices.allSatisfy { bytes[end - name.count + $0] | 0x20 == name[$0] }
  }

  /// The password of a URL: what is between the first colon after `://` and an `@`.
  private static func password(at index: Int, in bytes: Bytes) -> Range<Int>? {
    guard begins([0x3A, 0x2F, 0x2F], at: index, in: bytes) else { return nil }
    var colon: Int?
    var at: Int?
    var end = index + 3
    while end < bytes.count, isUserInfo(bytes[end]) || bytes[end] == UInt8(ascii: "@") {
      if bytes[end] == UInt8(ascii: ":"), colon == nil { colon = end }
      if bytes[end] == UInt8(ascii: "@") { at = end }
      end += 1
    }
    guard let colon, let at, colon + 1 < at else { return nil }
    return colon + 1..<at
  }

  // MARK: Bytes

  private static func begins(_ prefix: [UInt8], at index: Int, in bytes: Bytes) -> Bool {
    index + prefix.count <= bytes.count && prefix.indices.allSatisfy { bytes[index + $0] == prefix[$0] }
  }

  private static func find(_ needle: [UInt8], in bytes: Bytes) -> Int? {
    guard bytes.count >= needle.count else { return nil }
    return (0...bytes.count - needle.count).first { begins(needle, at: $0, in: bytes) }
  }

  private static func isWordStart(_ index: Int, in bytes: Bytes) -> Bool {
    index == 0 || !isAlphanumeric(bytes[index - 1])
  }

  @Sendable private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
  @Sendable private static func isCapital(_ byte: UInt8) -> Bool { isDigit(byte) || (0x41...0x5A).contains(byte) }
  @Sendable private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    isCapital(byte) || (0x61...0x7A).contains(byte)
  }
  @Sendable private static func isWordByte(_ byte: UInt8) -> Bool {
    isAlphanumeric(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
  }
  @Sendable private static func isDottedByte(_ byte: UInt8) -> Bool { isWordByte(byte) || byte == UInt8(ascii: ".") }
  @Sendable private static func isBase64(_ byte: UInt8) -> Bool {
    isAlphanumeric(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "=")
  }
  private static func isTokenByte(_ byte: UInt8) -> Bool {
    isWordByte(byte) || [0x2E, 0x7E, 0x2B, 0x2F, 0x3D].contains(byte)
  }
  @Sendable private static func isUserInfo(_ byte: UInt8) -> Bool {
    !isSpace(byte) && ![0x2F, 0x22, 0x27, 0x3C, 0x3E, 0x3F, 0x23, 0x40, 0x5C].contains(byte)
  }
  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
