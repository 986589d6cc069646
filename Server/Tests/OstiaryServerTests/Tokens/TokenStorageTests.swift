import Foundation
import GRDB
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Tokens at rest", .timeLimit(.minutes(20)))
struct TokenStorageTests {
  @Test(
    "RT-11: no token, code or secret is in the files, not even in parts; a copy of them opens nothing",
    TestDatabase.forSQLite)
  func hashesOnly() async throws {
    let folder = TemporaryFolder()
    let world = try await TokenWorld(storage: try ServerStorage.forTest(in: folder.url))
    var secrets: [Secret] = []
    let registered = try await world.clients.register(
      ClientRegistration(id: "web", name: "Web", authentication: .newSecret))
    secrets.append(try #require(registered.secret))
    let code = try #require(
      try await world.tokens.issueCode(
        CodeRequest(grant: world.request(), redirectURI: nil, challenge: CodeTests.challenge)
      ).code)
    let device = try await world.tokens.beginDevice(world.request())
    secrets += [code, device.deviceCode, Secret(device.userCode)]
    var tokens = try await world.issue()
    for _ in 0..<5 {
      secrets += [tokens.accessToken, tokens.renewal]
      tokens = try #require(try await world.refresh(tokens.renewal).tokens)
    }
    secrets += [tokens.accessToken, tokens.renewal]

    let bytes = try folder.contents()
    let data = Data(bytes)
    #expect(bytes.contains(text: "grants"))
    for secret in secrets {
      let text = secret.reveal()
      #expect(!bytes.contains(text: text))
      let body = String(text.split(separator: "_").last ?? "")
      guard let raw = (text.hasPrefix("ost_") ? String(text.dropFirst(7)) : body).decodedBase64URL else { continue }
      #expect(data.range(of: Data(raw)) == nil)
      // What all tokens of a family share, and what each has for itself.
      if raw.count > 32 {
        #expect(data.range(of: Data(raw.prefix(16))) == nil)
        #expect(data.range(of: Data(raw.dropFirst(16).prefix(32))) == nil)
      }
    }
    // Nothing that is in a row can be presented.
    let rows = try await world.storage.read { db in
      try ["grants", "spent_refresh_tokens", "access_tokens", "authorization_codes", "device_codes"].flatMap { table in
        try db.test.rows("SELECT * FROM \(table)")
      }.flatMap { $0 }
    }
    #expect(rows.count > 10)
    for value in rows {
      for text in [value.base64URL, "ost_at_" + value.base64URL, "ost_rt_" + value.base64URL] {
        #expect(try await world.tokens.find(Secret(text)) == nil)
        #expect(try await world.refresh(Secret(text)).refusal == .unknown)
      }
    }
    try await world.storage.close()
  }

  @Test("RT-12: after many rotations there are the live rows and those of the window")
  func bounds() async throws {
    let world = try await TokenWorld {
      $0.accessLifetime = .fixed(.seconds(100))
      $0.refreshIdle = .seconds(500)
      $0.mostApprovalsPerUser = 1000
      $0.mostAccessOnlyGrantsPerUser = 1000
    }
    let tables = ["grants", "spent_refresh_tokens", "access_tokens", "authorization_codes", "device_codes"]
    var token = try await world.family()
    var most = [0, 0, 0, 0, 0]
    for step in 0..<1200 {
      world.clock.advance(by: .seconds(1))
      token = try await world.rotate(token)
      if step % 5 == 0 {
        // Others that come and are never used again.
        _ = try await world.issue(refresh: step % 2 == 0)
        _ = try await world.tokens.beginDevice(world.request(), lifetime: .seconds(10))
        _ = try await world.tokens.issueCode(
          CodeRequest(grant: world.request(), redirectURI: nil, challenge: CodeTests.challenge))
      }
      guard step % 100 == 99, step >= 700 else { continue }
      let counts = try await world.storage.read { db in
        try tables.map { try db.test.first(Int.self, "SELECT count(*) FROM \($0)") ?? 0 }
      }
      for index in counts.indices { most[index] = max(most[index], counts[index]) }
    }
    // Grants: one in ten steps lives 500 s, one in ten 100 s. Spent: 60, and 60 for
    // patience. Access tokens: 120 s' worth. Codes and devices
    // are remembered for an hour, which is all of them here.
    #expect(most[0] <= 1 + 50 + 10 + 70)
    #expect(most[1] <= 60 + 60 + 70)
    #expect(most[2] <= 120 + 70)
    #expect(most[3] == 240 && most[4] == 240)
    world.clock.advance(by: .seconds(3700))
    for _ in 0..<300 { _ = try await world.issue(refresh: false) }
    let counts = try await world.storage.read { db in
      try tables.map { try db.test.first(Int.self, "SELECT count(*) FROM \($0)") ?? 0 }
    }
    #expect(counts == [300, 0, 300, 0, 0])
  }

  @Test("What is asked often is found by an index", TestDatabase.forSQLite)
  func indexes() async throws {
    let world = try await TokenWorld()
    let queries = [
      "SELECT * FROM grants WHERE handle_hash = x''",
      "SELECT * FROM grants WHERE user_id IS 'x' AND client_id = 'y' AND (handle_hash IS NOT NULL) = 1 ORDER BY id DESC",
      "SELECT * FROM spent_refresh_tokens WHERE grant_id = 1 AND token_hash = x''",
      "SELECT * FROM spent_refresh_tokens WHERE replay_until <= 1 ORDER BY replay_until",
      "SELECT * FROM access_tokens WHERE token_hash = x''",
      "SELECT * FROM access_tokens WHERE grant_id = 1 AND number <= 2",
      "SELECT * FROM access_tokens WHERE expires_at <= 1 ORDER BY expires_at",
      "SELECT * FROM grants WHERE expires_at <= 1 ORDER BY expires_at",
      "SELECT * FROM authorization_codes WHERE code_hash = x''",
      "SELECT * FROM authorization_codes WHERE remove_at <= 1 ORDER BY remove_at",
      "SELECT * FROM device_codes WHERE user_code_hash = x''",
      "SELECT * FROM device_codes WHERE remove_at <= 1 ORDER BY remove_at",
    ]
    let plans = try await world.storage.read { db in
      try queries.map { query in
        try Row.fetchAll(db.sqlite, sql: "EXPLAIN QUERY PLAN " + query).map { row -> String in row["detail"] }
      }
    }
    for (query, plan) in zip(queries, plans) {
      #expect(plan.allSatisfy { $0.hasPrefix("SEARCH") }, "\(query): \(plan)")
    }
  }
}
