import Testing

@testable import MartletMCP

@Suite struct WebAddressTests {
  @Test func `parts stay as they are written, but for the case of scheme and host`() throws {
    let address = try #require(WebAddress("HTTPS://MCP.Example.com:8443/Server/MCP/?a=b#part"))
    #expect(address.origin == "https://mcp.example.com:8443")
    #expect(address.path == "/Server/MCP/")
    #expect(address.query == "a=b")
    #expect(address.text == "https://mcp.example.com:8443/Server/MCP/?a=b")
    #expect(WebAddress("https://a.example:443/x")?.origin == "https://a.example")
    #expect(WebAddress("http://a.example:80")?.origin == "http://a.example")
  }

  @Test(arguments: [
    "", "mcp.example.com", "ftp://a.example", "https://", "https:///path", "https://user@a.example/",
    "https://user:pw@a.example", "https://a.example:99999", "https://a.example:", "https://a.example:0",
    "https://a b.example", "https://a.example\\@b.example", "https://ä.example", "https://127.1/",
    "https://0x7f000001/",
    "https://2130706433/", "https://0177.0.0.1/", "https://1.2.3.256/", "https://[::1", "https://[zz]/",
    "javascript://x",
    "https://a..example", "https://a.example/\u{0}", "https://%31.example",
  ])
  func `what parsers read differently is no address`(text: String) {
    #expect(WebAddress(text) == nil)
  }

  @Test(arguments: [
    ("mcp.example.com", NetworkZone.anywhere), ("8.8.8.8", .anywhere), ("[2001:db8::1]", .anywhere),
    ("localhost", .thisMachine), ("app.localhost", .thisMachine), ("127.0.0.1", .thisMachine),
    ("127.8.9.1", .thisMachine), ("0.0.0.0", .thisMachine), ("[::1]", .thisMachine), ("[::]", .thisMachine),
    ("[::ffff:127.0.0.1]", .thisMachine), ("10.1.2.3", .privateNetwork), ("172.31.0.1", .privateNetwork),
    ("172.32.0.1", .anywhere), ("192.168.1.1", .privateNetwork), ("169.254.169.254", .privateNetwork),
    ("100.64.0.1", .privateNetwork), ("[fd00::1]", .privateNetwork), ("[fe80::1]", .privateNetwork),
    ("[::ffff:10.0.0.1]", .privateNetwork), ("[64:ff9b::a9fe:a9fe]", .privateNetwork), ("intranet", .privateNetwork),
    ("metadata.google.internal", .privateNetwork), ("printer.local", .privateNetwork), ("localhost.", .thisMachine),
  ])
  func `where a host is`(host: String, zone: NetworkZone) {
    #expect(NetworkZone(host: host) == zone)
  }

  @Test func `where metadata is looked for, in order`() throws {
    let root = try #require(WebAddress("https://a.example/"))
    let path = try #require(WebAddress("https://a.example/tenant/1"))
    #expect(MetadataLocations.resource(root) == ["https://a.example/.well-known/oauth-protected-resource"])
    #expect(
      MetadataLocations.resource(path) == [
        "https://a.example/.well-known/oauth-protected-resource/tenant/1",
        "https://a.example/.well-known/oauth-protected-resource",
      ])
    #expect(
      MetadataLocations.authorizationServer(root) == [
        "https://a.example/.well-known/oauth-authorization-server",
        "https://a.example/.well-known/openid-configuration",
      ])
    #expect(
      MetadataLocations.authorizationServer(path) == [
        "https://a.example/.well-known/oauth-authorization-server/tenant/1",
        "https://a.example/.well-known/openid-configuration/tenant/1",
        "https://a.example/tenant/1/.well-known/openid-configuration",
      ])
  }

  @Test func `queries are written and read the same`() throws {
    var fields = FormFields()
    fields.add("resource", "https://mcp.example.com/mcp?x=1&y=ü")
    fields.add("empty", "")
    fields.add("nothing", nil)
    #expect(fields.encoded == "resource=https%3A%2F%2Fmcp.example.com%2Fmcp%3Fx%3D1%26y%3D%C3%BC&empty=")
    #expect(FormFields(fields.encoded)?["resource"] == "https://mcp.example.com/mcp?x=1&y=ü")
    #expect(FormFields("a+b=c+d%2B")?["a b"] == "c d+")
    #expect(FormFields("a=%zz") == nil)
    let address = try #require(WebAddress("https://a.example/authorize?tenant=1"))
    #expect(address.adding(fields).text.hasPrefix("https://a.example/authorize?tenant=1&resource=https%3A"))
  }
}
