import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryOAuth
import OstiarySalesforce
import OstiaryTesting
import TestSupport
import Testing

/// Answers that say nothing of a token.
@Suite("Only the server's own word about a token", .timeLimit(.minutes(20)))
struct ServersWordTests {
  static let identityPath = "/id/00Dx0000000BV7z/005x00000012Q9P"

  /// Answers of portals, proxies and orgs that are about something else.
  static let foreign: [TransportResponse] = [
    .html("<html><body>Sign in to the hotel</body></html>", status: .forbidden),
    .html("<html><body>Not here</body></html>", status: .notFound),
    .html("<html><body>Sign in</body></html>", status: .unauthorized),
    .html("<html><body>Sign in to the hotel</body></html>"),
    .status(.forbidden), .status(.notFound),
    SalesforceStub.failure("API_DISABLED_FOR_ORG", status: .forbidden),
    SalesforceStub.text("Wrong_Org", status: .forbidden), SalesforceStub.text("No_Access", status: .notFound),
    .json([:]),
  ]

  @Test("Bug-F15: one page of a portal puts no good token on the black list", arguments: foreign.indices)
  func page(_ index: Int) async throws {
    let stub = SalesforceStub()
    let settings = try stub.settings()
    let app = App([reply(settings), reply(settings), reply(settings), reply(settings), reply(settings)])
    let service = stub.service(app.handlers)
    stub.transport.inject(.respond(Self.foreign[index]), into: .get(Self.identityPath), at: .nth(1))
    #expect(await failure { try await service.send(.get(SalesforceStub.cases)) } != nil)
    for _ in 0..<3 { #expect(try await service.send(.get(SalesforceStub.cases)).status == .ok) }
    #expect(app.told == ["should cases"])
    #expect(service.settings?.tokens == settings.tokens)
  }

  @Test("Bug-F15: as long as the page is there, the delegate is asked once, and told nothing")
  func bounds() async throws {
    let stub = SalesforceStub()
    let settings = try stub.settings()
    let app = App((0..<20).map { _ in reply(settings) })
    let service = stub.service(app.handlers)
    stub.transport.inject(.respond(Self.foreign[0]), into: .get(Self.identityPath))
    for _ in 0..<10 { #expect(await failure { try await service.send(.get(SalesforceStub.cases)) } != nil) }
    #expect(app.told == ["should cases"])
    #expect(stub.transport.count == 10)
    stub.transport.setFaults()
    #expect(try await service.send(.get(SalesforceStub.cases)).status == .ok)
  }

  @Test("Bug-F15: a page in answer to a call ends no session and asks nobody", arguments: foreign.indices)
  func call(_ index: Int) async throws {
    let stub = SalesforceStub()
    let app = App([])
    let service = stub.service(app.handlers)
    try await service.set(try stub.settings())
    stub.transport.inject(.respond(Self.foreign[index]), into: .get(SalesforceStub.cases), at: .nth(1))
    #expect(try await service.send(.get(SalesforceStub.cases)).status == Self.foreign[index].status)
    #expect(try await service.send(.get(SalesforceStub.cases)).status == .ok)
    #expect(app.told == [])
  }

  @Test("Bug-F15: an identity service that names another user says nothing of the token's")
  func anotherUser() async throws {
    let stub = SalesforceStub()
    let service = stub.service()
    let other: TransportResponse = .json([
      "id": .string(SalesforceStub.Person.bob.identityURL), "user_id": .string(SalesforceStub.Person.bob.id),
      "organization_id": .string(SalesforceStub.Person.bob.org),
    ])
    stub.transport.inject(.respond(other), into: .get(Self.identityPath), at: .nth(1))
    let settings = try stub.settings()
    #expect(await failure { try await service.set(settings) }?.code == .unexpectedResponse)
    try await service.set(settings)
    #expect(service.connection?.identity?.userID.id15 == SalesforceStub.Person.ann.id)
  }

  @Test("Bug-F15: a page in answer to a call does not end a row of failures either")
  func row() async throws {
    let stub = SalesforceStub()
    let app = App([])
    let service = stub.service(app.handlers)
    try await service.set(try stub.settings())
    for _ in 0..<2 {
      stub.dropTokens()
      let next = try stub.settings()
      app.answers.withLock { $0 = [reply(next)] }
      // The call that is sent again gets the page.
      stub.transport.inject(.respond(Self.foreign[3]), into: .get(SalesforceStub.cases), at: .after(1))
      _ = await failure { try await service.send(.get(SalesforceStub.cases)) }
      stub.transport.setFaults()
    }
    #expect(app.told.filter { $0.hasPrefix("failed") }.count == 1)
  }
}
