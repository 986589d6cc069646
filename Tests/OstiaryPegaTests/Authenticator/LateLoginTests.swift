import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryPega
import OstiaryTesting
import TestSupport
import Testing

/// A server may have begun a session whose cookie is on its way when the user logs off.
@Suite("Logins that come too late", .timeLimit(.minutes(5)))
struct LateLoginTests {
  @Test(
    "Bug-F12: a session that the server begins for a login under way is ended there",
    arguments: [PegaSignInMethod.basic, .query, .form])
  func logOff(_ method: PegaSignInMethod) async throws {
    let stub = PegaStub()
    let manager = try stub.manager(method)
    let gate = Gate()
    // The form is fetched first.
    let login = method == .form ? RequestMatch.where { $0.head.method == .post } : .any
    stub.transport.inject(.holdResponse(gate), into: login, at: .nth(1))
    let caller = Task {
      await failure { try await manager.signIn(with: .password(username: "jdoe", password: "secret")) }
    }
    try await gate.waitForArrivals(1)
    #expect(await manager.signOut().isComplete)
    #expect(await caller.value?.code == .signedOut)
    gate.open()
    try await manager.flush()
    #expect(stub.logins >= 1 && stub.sessionCount == 0)
    #expect(manager.current == nil)
  }

  @Test("A log-off while the login form is fetched keeps the password here")
  func formOnItsWay() async throws {
    let stub = PegaStub()
    let manager = try stub.manager(.form)
    let gate = Gate()
    stub.transport.inject(.holdResponse(gate), at: .nth(1))
    let caller = Task {
      await failure { try await manager.signIn(with: .password(username: "jdoe", password: "secret")) }
    }
    try await gate.waitForArrivals(1)
    #expect(await manager.signOut().isComplete)
    #expect(await caller.value?.code == .signedOut)
    gate.open()
    try await manager.flush()
    #expect(stub.transport.requests.allSatisfy { $0.head.method == .get } && stub.logins == 0)
  }
}
