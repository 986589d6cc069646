import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryOAuth
import OstiarySalesforce
import OstiaryTesting
import TestSupport
import Testing

/// Where a session's requests go, and what they carry.
@Suite("Requests to an org that may move", .timeLimit(.minutes(20))) struct InstanceTests {
  private let stub = SalesforceStub()

  /// A session whose org has moved from na1 to na2.
  private func moved() async throws -> SalesforceConnection {
    let connection = try stub.connection(refreshToken: true)
    try await connection.verify()
    stub.dropAccessTokens()
    stub.state.withLock { $0.instance = "https://na2.salesforce.com" }
    try await expectServed(connection.send)
    return connection
  }

  private func request(_ host: String, _ path: String = SalesforceStub.cases) throws -> TransportRequest {
    try .get(url("https://\(host)\(path)"))
  }

  @Test(
    "Bug-F31: requests carry the token and no field of this library, whatever way the app sends them",
    arguments: [false, true])
  func fields(_ hasMoved: Bool) async throws {
    let connection = hasMoved ? try await moved() : try stub.connection()
    try await connection.verify()
    let sent = stub.transport.count
    let host = hasMoved ? "na2.salesforce.com" : "na1.salesforce.com"
    try await expectServed(connection.send)
    #expect(try await connection.transport.send(request(host)).status == .ok)
    #expect(try await AuthenticatedTransport(connection.manager).send(request(host)).status == .ok)
    var head = try request(host).head
    guard case .attached = connection.manager.attach(to: &head) else { throw NotAttached() }
    #expect(head.headerFields.map(\.name.canonicalName) == ["authorization"])
    for request in stub.transport.requests[sent...] {
      #expect(request.head.headerFields[.authorization]?.hasPrefix("Bearer ") == true)
      #expect(!request.head.headerFields.contains { $0.name.canonicalName.hasPrefix("x-") })
    }
  }

  @Test("A request to an instance that the org has left goes to the present one, whatever way the app sends it")
  func leftInstance() async throws {
    let connection = try await moved()
    let sent = stub.transport.count
    #expect(try await connection.transport.send(request("na1.salesforce.com")).status == .ok)
    #expect(try await AuthenticatedTransport(connection.manager).send(request("na1.salesforce.com")).status == .ok)
    var head = try request("na1.salesforce.com").head
    connection.manager.attach(to: &head)
    #expect(head.authority == "na2.salesforce.com")
    #expect(stub.transport.requests[sent...].map(\.head.authority) == ["na2.salesforce.com", "na2.salesforce.com"])
  }

  @Test("A request that can't carry the session's proof is not sent, with proof of the app's own neither")
  func bare() async throws {
    let connection = try stub.connection()
    try await connection.verify()
    var elsewhere = try request("elsewhere.example.com")
    elsewhere.head.headerFields[.authorization] = "Bearer another"
    let sent = stub.transport.count
    #expect(await failure { try await connection.transport.send(elsewhere) }?.code == .interactionRequired)
    var own = try request("na1.salesforce.com")
    own.head.headerFields[.authorization] = "Bearer another"
    #expect(try await connection.transport.send(own).status == .ok)
    await connection.manager.signOut()
    #expect(await failure { try await connection.transport.send(own) } != nil)
    #expect(stub.transport.requests[sent...].filter { $0.head.path == SalesforceStub.cases }.count == 1)
    #expect(!stub.transport.requests[sent...].contains { $0.head.headerFields[.authorization] == "Bearer another" })
  }

  private struct NotAttached: Error {}
}
