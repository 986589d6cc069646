import Foundation
import HTTPTypes
import OstiaryTesting
import TestSupport
import Testing

@testable import OstiaryCore

@Suite("What failed: a renewal or a sign-in")
struct RenewalEventTests {
  @Test("Bug-B04: a renewal that fails is told as one, and a sign-in as one; both stay so in a journal")
  func told() async throws {
    let fixture = ManagerFixture(lifetime: .seconds(600))
    let manager = fixture.manager(.manual)
    _ = await failure { try await manager.signIn(with: .password(username: "ann", password: "wrong")) }
    try await manager.signIn(with: ManagerFixture.ann)
    fixture.clock.advance(by: .seconds(700))
    fixture.transport.inject(.status(.serviceUnavailable), into: .post("/renew"))
    _ = await failure { try await manager.session() }
    let failures = manager.history.filter { $0.kind == .failed }
    #expect(failures.map(\.isRenewal) == [false, true])
    #expect(failures.first?.description.contains("signing in did not succeed") == true)
    #expect(failures.last?.description.contains("renewing the session did not succeed") == true)
    let read = try JSONDecoder().decode([SessionEvent].self, from: JSONEncoder().encode(failures))
    #expect(read == failures)
  }

  @Test("Bug-B04: a damaged session is told as one that could not be read, not as a sign-in that failed")
  func damaged() throws {
    let text = #"{"number":1,"date":0,"kind":"failed","cause":"store_corrupt","host":"h","isRenewal":false}"#
    let event = try JSONDecoder().decode(SessionEvent.self, from: Data(text.utf8))
    #expect(event.description == "the session could not be read because what the store held was damaged")
  }

  @Test("Bug-B04: an event of the version before is still read")
  func before() throws {
    let text = #"{"number":1,"date":0,"kind":"failed","cause":"transient_failure","host":"h"}"#
    let event = try JSONDecoder().decode(SessionEvent.self, from: Data(text.utf8))
    #expect(event.isRenewal == nil)
    #expect(event.description.hasPrefix("signing in did not succeed"))
  }
}
