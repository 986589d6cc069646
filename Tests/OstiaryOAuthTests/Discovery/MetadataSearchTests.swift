import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryOAuth
import OstiaryTesting
import TestSupport
import Testing

@Suite("Looking for a server's metadata", .timeLimit(.minutes(20)))
struct MetadataSearchTests {
  @Test(
    "FIND-07: OpenID's address is behind the issuer's path, RFC 8414's before it; neither has a slash too many",
    arguments: [
      ("https://as.test", DocumentServer.openID, DocumentServer.oauth),
      ("https://as.test/", DocumentServer.openID, DocumentServer.oauth),
      (
        "https://as.test:8443/a/b", "https://as.test:8443/a/b/.well-known/openid-configuration",
        "https://as.test:8443/.well-known/oauth-authorization-server/a/b"
      ),
      (
        "https://as.test/a/", "https://as.test/a/.well-known/openid-configuration",
        "https://as.test/.well-known/oauth-authorization-server/a"
      ),
    ])
  func addresses(_ issuer: String, _ openID: String, _ oauth: String) async throws {
    for (convention, expected) in [
      (ServerDirectory.Convention.openID, [openID, oauth]), (ServerDirectory.Convention.oauth, [oauth, openID]),
    ] {
      let server = DocumentServer()
      _ = await failure { try await server.directory.metadata(of: issuer, convention: convention) }
      #expect(server.transport.requests.map(\.address) == expected)
      for address in expected {
        let one = DocumentServer()
        one.publish(["issuer": .string(issuer)], at: address)
        #expect(try await one.directory.metadata(of: issuer, convention: convention).issuer == issuer)
      }
    }
  }

  @Test("FIND-07: a request follows no redirect and carries no secret (oidcc-client-test-discovery-openid-config)")
  func request() async throws {
    let server = DocumentServer()
    server.publish()
    _ = try await server.directory.metadata(of: DocumentServer.issuer)
    let request = try #require(server.transport.requests.first)
    #expect(request.head.method == .get && request.body == nil)
    #expect(request.head.headerFields[.accept] == "application/json")
    #expect(request.head.headerFields[.authorization] == nil && request.head.headerFields[.cookie] == nil)
    #expect(server.transport.count == 1)
  }

  static let absences: [(TransportResponse, Bool)] = [
    (.status(.notFound), true), (.status(.gone), true), (.status(.unauthorized), true), (.status(.forbidden), true),
    (.status(.badRequest), true),
    (.status(.found, headerFields: [.location: "https://evil.test/openid-configuration"]), false),
    (.status(.permanentRedirect, headerFields: [.location: DocumentServer.oauth]), false),
    (.html("<html>Welcome to the hotel</html>"), false), (.status(.noContent), false),
    (
      TransportResponse(
        HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"]),
        body: Data("\n <!DOCTYPE html>".utf8)),
      false
    ),
  ]

  @Test("FIND-08: 404, a redirect and a page lead to the other address", arguments: absences.indices)
  func elsewhere(_ index: Int) async throws {
    let server = DocumentServer()
    server.publish(Self.absences[index].0, at: DocumentServer.openID)
    server.publish(at: DocumentServer.oauth)
    #expect(try await server.directory.metadata(of: DocumentServer.issuer).issuer == DocumentServer.issuer)
    #expect(server.transport.requests.map(\.address) == [DocumentServer.openID, DocumentServer.oauth])
  }

  @Test(
    "FIND-08: nothing at either address is a wrong issuer, unless a page or a redirect is in the way",
    arguments: absences.indices)
  func nowhere(_ index: Int) async {
    let (response, isMissing) = Self.absences[index]
    let server = DocumentServer()
    server.publish(response, at: DocumentServer.oauth)
    let error = await failure { try await server.directory.metadata(of: DocumentServer.issuer) }
    #expect(error?.code == .metadataMissing)
    let disposition: OstiaryError.Disposition = isMissing ? .misuse : .transient(retryAfter: nil)
    #expect(error?.disposition == disposition)
  }

  @Test("FIND-09: a wrong issuer ends the search, and so does a document that can't be used")
  func wrong() async {
    for changes in [
      ["issuer": "https://evil.test"], ["token_endpoint": "http://as.test/token"], ["issuer": nil],
    ] as [[String: JSONValue?]] {
      let server = DocumentServer()
      server.publish(changes)
      server.publish(at: DocumentServer.oauth)
      #expect(
        await failure { try await server.directory.metadata(of: DocumentServer.issuer) }?.code == .metadataUnusable)
      #expect(server.transport.count == 1, "the other address is not asked")
    }
  }

  @Test(
    "FIND-10: a server or a network that can't answer now is a failure that may pass, and the other address is not asked",
    arguments: [
      Fault.status(.serviceUnavailable, headerFields: [.retryAfter: "7"]), .status(.tooManyRequests),
      .status(.internalServerError), .status(.requestTimeout), .status(.proxyAuthenticationRequired), .refuseConnection,
      .dropAfterServerActed, .truncate(at: 20), .garbage,
    ])
  func passing(_ fault: Fault) async throws {
    let server = DocumentServer()
    server.publish()
    server.transport.inject(fault, at: .nth(1))
    let error = await failure { try await server.directory.metadata(of: DocumentServer.issuer) }
    #expect(error?.isTransient == true)
    #expect(server.transport.count == 1)
    if case .respond(let response) = fault, response.status == .serviceUnavailable {
      #expect(error?.retryAfter == .seconds(7))
    }
    #expect(try await server.directory.metadata(of: DocumentServer.issuer).issuer == DocumentServer.issuer)
  }

  @Test(
    "FIND-04: ten megabytes are not read, announced or not",
    arguments: [Fault.announce(bytes: 10_000_000), .endless])
  func large(_ fault: Fault) async {
    let server = DocumentServer()
    server.publish()
    server.transport.inject(fault)
    let error = await failure { try await server.directory.metadata(of: DocumentServer.issuer) }
    #expect(error?.code == .responseTooLarge && error?.disposition != .terminal)
  }
}
