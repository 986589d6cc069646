import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryPega
import OstiaryTesting
import TestSupport
import Testing

@Suite("A Pega server that can't answer now")
struct UnavailableTests {
  @Test(
    "Bug-A15: a date to wait for is read against the server's clock",
    arguments: [
      HTTPResponse.Status.tooManyRequests, .internalServerError, .badGateway, .serviceUnavailable, .gatewayTimeout,
    ])
  func retryAfter(_ status: HTTPResponse.Status) async throws {
    let stub = PegaStub()
    let server = Date().addingTimeInterval(3 * 3600)
    stub.intercept { _ in
      .status(
        status,
        headerFields: [
          .date: HTTPDate.format(server), .retryAfter: HTTPDate.format(server.addingTimeInterval(120)),
        ])
    }
    let error = await failure { try await stub.signIn() }
    let wait = try #require(error?.retryAfter)
    #expect((.seconds(119)...Duration.seconds(121)).contains(wait))
  }
}
