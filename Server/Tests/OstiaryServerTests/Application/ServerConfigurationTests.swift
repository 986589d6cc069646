import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Server configuration")
struct ServerConfigurationTests {
  private func problems(_ change: (inout ServerConfiguration) -> Void) -> [String] {
    var configuration = ServerConfiguration()
    change(&configuration)
    return configuration.problems
  }

  @Test("The defaults are in order, and safe")
  func defaults() {
    let configuration = ServerConfiguration()
    #expect(configuration.problems.isEmpty)
    #expect(configuration.isLoopback)
    #expect(configuration.development == nil)
    #expect(configuration.pega?.tellsLockedAccounts == false)
  }

  @Test("OP-13: everything that is wrong is told at once, and nothing is started")
  func allProblems() {
    let change: (inout ServerConfiguration) -> Void = { configuration in
      configuration.host = "192.0.2.1"
      configuration.port = 70_000
      configuration.publicOrigin = "ftp://x/y"
      configuration.http.bodySize = 0
      configuration.development = .insecureForTests
      configuration.pega?.contextPath = "prweb"
      configuration.pega?.loginAttempts = 0
    }
    #expect(problems(change).count == 7)
    var configuration = ServerConfiguration()
    change(&configuration)
    #expect(throws: ServerConfigurationError(problems: problems(change))) { try OstiaryApplication(configuration) }
    #expect(
      ServerConfigurationError(problems: ["one", "two"]).description == "The server was not started:\n- one\n- two")
  }

  @Test(
    "Development switches are refused beyond loopback without the loud flag",
    arguments: ["0.0.0.0", "192.0.2.1", "::", "[2001:db8::1]", "example.org", "127.0.0.1.example.org", "1270.0.0.1"])
  func switchesBeyondLoopback(host: String) {
    func change(_ configuration: inout ServerConfiguration, loud: Bool) {
      configuration.host = host
      configuration.publicOrigin = "https://id.example.org"
      configuration.development = DevelopmentMode()
      configuration.development?.dangerouslyListensBeyondLoopback = loud
    }
    #expect(
      problems { change(&$0, loud: false) } == [
        "Development switches are refused beyond loopback: remove them, or listen on 127.0.0.1."
      ])
    #expect(problems { change(&$0, loud: true) }.isEmpty)
  }

  @Test(
    "Development switches are welcome on loopback", arguments: ["127.0.0.1", "127.3.2.1", "localhost", "::1", "[::1]"])
  func switchesOnLoopback(host: String) {
    #expect(
      problems {
        $0.host = host; $0.development = .insecureForTests
      }.isEmpty)
  }

  @Test("Development switches are refused on loopback, too, where a proxy makes the server public")
  func switchesBehindProxy() {
    func change(_ configuration: inout ServerConfiguration, origin: String) {
      configuration.publicOrigin = origin
      configuration.development = .insecureForTests
    }
    #expect(problems { change(&$0, origin: "https://id.example.org") }.count == 1)
    #expect(problems { change(&$0, origin: "http://localhost:8080") }.isEmpty)
    let loud = problems { configuration in
      change(&configuration, origin: "https://id.example.org")
      configuration.development?.dangerouslyListensBeyondLoopback = true
    }
    #expect(loud.isEmpty)
  }

  @Test("A trusted proxy is named by its numeric address", arguments: ["localhost", "10.0.0.0/8", "", "127.0.0.1:80"])
  func proxyNames(name: String) {
    #expect(problems { $0.trustedProxies = ["127.0.0.1", "::1", name] }.count == 1)
    #expect(problems { $0.trustedProxies = ["127.0.0.1", "::1"] }.isEmpty)
  }

  @Test("OP-13: a password in an address is refused, and not shown")
  func passwordInAddress() throws {
    let upstream = try #require(URL(string: "http://ann:planted-pw@127.0.0.1:9000"))
    let found = problems { configuration in
      configuration.gateway = GatewayDoorConfiguration()
      configuration.gateway?.junctions = [GatewayJunction(upstream: upstream)]
      configuration.accounts = AccountConfiguration()
      configuration.accounts?.returnOrigins = ["https://ann:planted-pw@app.example.org"]
    }
    #expect(found.contains { $0.contains("upstream takes no user name") }, "\(found)")
    #expect(found.contains { $0.contains("no origin to return to") }, "\(found)")
    #expect(!found.joined().contains("planted"), "\(found)")
  }

  @Test("A proxy that nobody named is known to make everybody look alike")
  func unknownProxy() {
    var configuration = ServerConfiguration()
    #expect(!configuration.hasUnknownProxy)
    configuration.publicOrigin = "https://id.example.org"
    #expect(configuration.hasUnknownProxy)
    configuration.trustedProxies = ["127.0.0.1"]
    #expect(!configuration.hasUnknownProxy)
    configuration.trustedProxies = []
    configuration.tls = .developmentAuthority
    #expect(!configuration.hasUnknownProxy)
  }

  @Test("Plain HTTP is refused beyond loopback, unless a proxy ends TLS")
  func plain() {
    #expect(problems { $0.host = "192.0.2.1" }.count == 1)
    #expect(
      problems {
        $0.host = "192.0.2.1"; $0.publicOrigin = "http://id.example.org"
      }.count == 1)
    #expect(
      problems {
        $0.host = "192.0.2.1"; $0.publicOrigin = "https://id.example.org"
      }.isEmpty)
    #expect(
      problems {
        $0.host = "192.0.2.1"; $0.tls = .files(certificate: "c", key: "k")
      }.isEmpty)
    #expect(
      problems {
        $0.tls = .developmentAuthority; $0.publicOrigin = "http://localhost"
      }.count == 1)
  }

  @Test("Every address needs a public origin")
  func wildcard() {
    #expect(
      problems {
        $0.host = "0.0.0.0"; $0.tls = .files(certificate: "c", key: "k")
      }.count == 1)
  }

  @Test(
    "A public origin is an origin and nothing more",
    arguments: [
      "", "x", "id.example.org", "https://", "https://a/b", "https://a?b", "https://u@a", "https://a#b", "javascript:1",
    ])
  func badOrigins(text: String) {
    #expect(problems { $0.publicOrigin = text }.count == 1)
  }

  @Test("A public origin may end with a slash, and its default port is left out")
  func origins() {
    var configuration = ServerConfiguration()
    configuration.publicOrigin = "https://ID.example.org:443/"
    #expect(configuration.origin(boundPort: 1)?.description == "https://id.example.org")
    configuration.publicOrigin = nil
    configuration.host = "[::1]"
    #expect(configuration.origin(boundPort: 8080)?.description == "http://[::1]:8080")
  }

  @Test(
    "A context path that could break an address is refused",
    arguments: ["", "/", "/a/", "/a b", "/a//b", "/ü", "/a;b", "a"])
  func contextPaths(path: String) {
    #expect(problems { $0.pega?.contextPath = path }.count == 1)
  }

  @Test("A realm that could break the header is refused", arguments: ["", "a\"b", "a\\b", "a\r\nb", "é"])
  func realms(realm: String) {
    #expect(problems { $0.pega?.realm = realm }.count == 1)
  }
}
