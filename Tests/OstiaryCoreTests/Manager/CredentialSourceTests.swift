import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

@Suite("Credentials: up front, on request, never")
struct CredentialSourceTests {
  @Test("A credential given up front is not sent before a request needs it")
  func upFront() async throws {
    let fixture = ManagerFixture()
    let manager = fixture.manager(.upFront(ManagerFixture.ann))
    #expect(await manager.restore().cause == .neverSignedIn)
    #expect(fixture.transport.count == 0)
    #expect(try await AuthenticatedTransport(manager).send(ManagerFixture.request()).status == .ok)
  }

  @Test("Without a source a request gets interaction required, and nothing is sent")
  func manual() async throws {
    let fixture = ManagerFixture()
    let error = await failure { try await AuthenticatedTransport(fixture.manager()).send(ManagerFixture.request()) }
    #expect(error?.code == .interactionRequired)
    #expect(error?.disposition == .terminal)
    #expect(fixture.transport.count == 0)
  }

  @Test("The app is asked once at a time, however many requests wait")
  func onRequest() async throws {
    let fixture = ManagerFixture()
    let asked = Locked(0)
    let gate = Gate()
    let manager = fixture.manager(
      .onRequest { request in
        asked.withLock { $0 += 1 }
        #expect(request.cause == .neededByRequest)
        try await gate.pass()
        return ManagerFixture.ann
      })
    let http = AuthenticatedTransport(manager)
    let requests = (0..<50).map { _ in Task { try await http.send(ManagerFixture.request()).status } }
    try await gate.waitForArrivals(1)
    gate.open()
    for request in requests { #expect(try await request.value == .ok) }
    #expect(asked.withLock { $0 } == 1)
  }

  @Test("A wrong password is told to the source, which is asked again, three times at most")
  func again() async throws {
    let fixture = ManagerFixture()
    let errors = Locked<[OstiaryError?]>([])
    let manager = fixture.manager(
      .onRequest { request in
        errors.withLock { $0.append(request.previousError) }
        return .password(username: "ann", password: "wrong")
      })
    #expect(await failure { try await manager.session() }?.code == .invalidCredentials)
    #expect(errors.withLock { $0.map { $0?.code } } == [nil, .invalidCredentials, .invalidCredentials])
    #expect(fixture.server.counts.refusedSignIns == 3)
  }

  @Test("Declining is an answer: every waiter hears it, and the next request asks again")
  func declined() async throws {
    struct No: Error {}
    let fixture = ManagerFixture()
    let manager = fixture.manager(.onRequest { _ in throw No() })
    #expect(await failure { try await manager.session() }?.code == .interactionCancelled)
    #expect(await failure { try await manager.session() }?.code == .interactionCancelled)
    #expect(manager.status.cause == .declined)
  }

  @Test("A locked account ends the asking at once")
  func locked() async throws {
    let fixture = ManagerFixture()
    fixture.server.lockAccount("ann")
    let manager = fixture.manager(.onRequest { _ in ManagerFixture.ann })
    #expect(await failure { try await manager.session() }?.code == .accountLocked)
    #expect(fixture.server.counts.refusedSignIns == 1)
  }

  @Test("A credential given up front outlives the refusal of another")
  func anotherRefused() async throws {
    let fixture = ManagerFixture()
    let manager = fixture.manager(.upFront(ManagerFixture.ann))
    #expect(
      await failure { try await manager.signIn(with: .password(username: "ben", password: "wrong")) }?.code
        == .invalidCredentials)
    #expect(try await manager.session().user.id == "ann")
  }
}
