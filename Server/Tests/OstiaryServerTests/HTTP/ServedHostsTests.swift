import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryServer

@Suite("Hosts that are served", .timeLimit(.minutes(20)))
struct ServedHostsTests {
  private static func status(_ server: TestServer, _ fields: String, path: String = "/healthz") async throws -> Int {
    let answer = try await RawConnection(port: server.running.port).exchange(
      "GET \(path) HTTP/1.1\r\n\(fields)Connection: close\r\n\r\n")
    return answer.firstMatch(of: /HTTP\/1\.1 (\d{3})/).flatMap { Int($0.1) } ?? 0
  }

  @Test(
    "Bug-C17: none, two and what is no host are 400",
    arguments: [
      "", "Host: localhost\r\nHost: localhost\r\n", "Host: localhost\r\nHost: evil.example\r\n",
      "HOST: localhost\r\nhost: localhost\r\n", "Host: \r\n", "Host: a b\r\n", "Host: user@localhost\r\n",
      "Host: localhost/x\r\n", "Host: localhost:x\r\n", "Host: localhost, localhost\r\n", "Host: [localhost]\r\n",
    ])
  func malformed(fields: String) async throws {
    try await TestServer.run { server in
      do {
        let status = try await Self.status(server, fields)
        #expect(status == 400)
      }
      do {
        let status = try await Self.status(server, fields, path: "/nowhere")
        #expect(status == 400)
      }
      do {
        let status = try await Self.status(server, "Host: localhost\r\n")
        #expect(status == 200)
      }
      // After any host that was served before.
      do {
        let status = try await Self.status(server, fields)
        #expect(status == 400)
      }
    }
  }

  @Test("Bug-C17: in development no page of another name reads the mailbox, or anything else (DNS rebinding)")
  func rebinding() async throws {
    let mailbox = FlowPaths.mailbox
    try await TestServer.run { server in
      let port = server.running.port
      for host in [
        "evil.example", "evil.example:\(port)", "127.0.0.1.evil.example", "localhost.evil.example", "0.0.0.0",
        "10.0.0.1",
        "[::2]", "x", "127.1", "LOCALHOST.evil.example:\(port)",
      ] {
        for path in [mailbox, "/healthz", "/account", "/prweb/PRServlet", "/nowhere"] {
          do {
            let status = try await Self.status(server, "Host: \(host)\r\n", path: path)
            #expect(status == 421, "\(host) \(path)")
          }
        }
      }
      for host in [
        "localhost", "localhost:\(port)", "LocalHost:1", "app.localhost", "127.0.0.1", "127.0.0.2:\(port)", "[::1]",
      ] {
        do {
          let status = try await Self.status(server, "Host: \(host)\r\n", path: mailbox)
          #expect(status == 200, "\(host)")
        }
      }
    }
    try await GatewayTester.run({ $0.protectedOrigins = ["https://app.example.org"] }) { gateway in
      do {
        let status = try await Self.status(gateway.server, "Host: app.example.org\r\n")
        #expect(status == 200)
      }
      do {
        let status = try await Self.status(gateway.server, "Host: app.example.net\r\n")
        #expect(status == 421)
      }
    }
  }

  @Test("Beyond development every host is served: links and redirects come from the configuration alone")
  func production() {
    var configuration = ServerConfiguration()
    #expect(configuration.servedHosts.problem(authority: "any.example", others: [:]) == nil)
    #expect(configuration.servedHosts.problem(authority: nil, others: [:])?.status == .badRequest)
    configuration.development = DevelopmentMode()
    #expect(configuration.servedHosts.problem(authority: "any.example", others: [:])?.status == .misdirectedRequest)
    configuration.publicOrigin = "https://id.localhost:8443"
    configuration.host = "192.0.2.1"
    #expect(configuration.servedHosts.problem(authority: "192.0.2.1:8080", others: [:]) == nil)
  }
}
