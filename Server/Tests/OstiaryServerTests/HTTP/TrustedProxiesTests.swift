import HTTPTypes
import Testing

@testable import OstiaryServer

@Suite("Trusted proxies")
struct TrustedProxiesTests {
  private func client(_ peer: String, _ lines: String..., trusting proxies: [String]) throws -> String {
    let name = try #require(HTTPField.Name("X-Forwarded-For"))
    var headers = HTTPFields()
    for line in lines { headers.append(HTTPField(name: name, value: line)) }
    return TrustedProxies(proxies).client(peer: peer, headers: headers)
  }

  @Test("LO-09: by default nobody's word is taken")
  func none() throws {
    #expect(try client("127.0.0.1", "192.0.2.1", trusting: []) == "127.0.0.1")
    #expect(try client("192.0.2.9", "192.0.2.1", trusting: ["127.0.0.1"]) == "192.0.2.9")
  }

  @Test("LO-09: the field is read from its end, as far as trusted proxies wrote it")
  func fromTheEnd() throws {
    let proxies = ["127.0.0.1", "2001:db8::1"]
    #expect(try client("127.0.0.1", "10.9.9.9, 192.0.2.1", trusting: proxies) == "192.0.2.1")
    #expect(try client("127.0.0.1", "10.9.9.9", "192.0.2.1 , 2001:db8:0::1", trusting: proxies) == "192.0.2.1")
    #expect(try client("::ffff:127.0.0.1", "2001:db8::2", trusting: proxies) == "2001:db8::2")
    // Of an IPv6 network only the one address is trusted.
    #expect(try client("2001:db8::2", "192.0.2.1", trusting: proxies) == "2001:db8::2")
    #expect(try client("127.0.0.1", "127.0.0.1", trusting: proxies) == "127.0.0.1")
  }

  @Test("What is no address ends the reading", arguments: ["", "unknown", "192.0.2.1:80", "a, ", "192.0.2.1,,"])
  func garbage(text: String) throws {
    #expect(try client("127.0.0.1", text, trusting: ["127.0.0.1"]) == "127.0.0.1")
    #expect(try client("127.0.0.1", trusting: ["127.0.0.1"]) == "127.0.0.1")
  }
}
