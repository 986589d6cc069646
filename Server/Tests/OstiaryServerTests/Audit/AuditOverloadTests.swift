import OstiaryCore
import Testing

@testable import OstiaryServer

/// What the trail hears of new passwords for which there is no place to be hashed.
@Suite("Audit of new passwords without a place", .timeLimit(.minutes(10)))
struct AuditOverloadTests {
  private static let password = IdentityWorld.password

  /// What is told while no place is free.
  private static func told(_ identity: IdentityService, _ body: () async throws -> Void) async throws -> [AuditRecord] {
    let events = AuditEvents(identity.storage)
    let last = try await events.records().last?.id ?? 0
    let result = try await identity.hasher.pool.whileFull { await Result { try await body() } }
    try result.get()
    return try await events.records().filter { $0.id > last }
  }

  @Test("Bug-C16: an administrator's new user and new password")
  func administrator() async throws {
    let identity = try IdentityWorld().identity
    try await identity.addUser(name: "jane", password: Self.password)
    let told = try await Self.told(identity) {
      await #expect(throws: ServerError(.overloaded, "")) {
        try await identity.addUser(name: "new", password: Self.password)
      }
      await #expect(throws: ServerError(.overloaded, "")) {
        try await identity.setPassword("another fine long passphrase", forUserNamed: "jane")
      }
    }
    #expect(told.map(\.word) == ["account_refused: overloaded", "password_refused: overloaded"])
    #expect(Set(told.map(\.nameMark)).count == 2 && told.allSatisfy { $0.nameMark != nil })
    #expect(try await identity.user(named: "new") == nil)
  }

  @Test("Bug-C16: a sign-up and a new password after a mailed code")
  func flows() async throws {
    let world = try FlowWorld()
    let jane = try await world.addJane()
    let recovery = try await world.askForCode()
    _ = try await world.submit(.recover, recovery, .checkCode, ["code": try #require(await world.code())])
    let signup = try world.begin(.signup)
    let told = try await Self.told(world.identity) {
      let details = ["email": "new@example.com", "password": FlowWorld.newPassword]
      let account = try await world.submit(.signup, signup, .signup, details)
      #expect(account.problem == .overloaded && account.retryAfter != nil)
      let new = try await world.submit(.recover, recovery, .setPassword, ["new_password": FlowWorld.newPassword])
      #expect(new.problem == .overloaded && new.retryAfter != nil)
    }
    #expect(told.map(\.word) == ["account_refused: overloaded", "password_refused: overloaded"])
    #expect(told.map(\.userID) == [nil, jane.id])
    // Nothing is lost: with a place it works.
    let new = try await world.submit(.recover, recovery, .setPassword, ["new_password": FlowWorld.newPassword])
    #expect(new.problem == nil)
    #expect(try await world.accepts(FlowWorld.newPassword))
  }

  @Test("Bug-C16: an account that an app makes at the Primer door")
  func app() async throws {
    try await PrimerTester.run { tester in
      let identity = tester.server.application.identity
      let told = try await Self.told(identity) {
        let answer = try await tester.post(
          "/signup", .object(["email": "new@example.com", "password": .string(PrimerTester.otherPassword)]))
        #expect(answer.status == 503)
      }
      #expect(told.map(\.word) == ["account_refused: overloaded"])
      #expect(told.map(\.place) == ["POST /primer/signup"])
    }
  }
}

extension HashPool {
  /// Runs `body` while no place is free.
  func whileFull<Value: Sendable>(_ body: () async -> Value) async throws(ServerError) -> Value {
    try await whileFull(capacity, body)
  }

  private func whileFull<Value: Sendable>(
    _ places: Int, _ body: () async -> Value
  ) async throws(ServerError) -> Value {
    guard places > 0 else { return await body() }
    return try await withPlace(for: PoolShare(account: nil, address: nil)) { _ async throws(ServerError) in
      try await whileFull(places - 1, body)
    }
  }
}

extension Result where Failure == any Error {
  fileprivate init(_ body: () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }
}
