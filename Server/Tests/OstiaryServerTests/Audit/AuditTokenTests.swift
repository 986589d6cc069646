import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Audit of tokens and clients")
struct AuditTokenTests {
  @Test("Bug-C16: grants that begin and why each ends; rotations and calls are counted, a replay and a reuse are told")
  func grants() async throws {
    let world = try await TokenWorld {
      $0.rotatesRefreshTokens = true
      $0.replayWindow = .seconds(30)
    }
    let events = AuditEvents(world.storage)
    let first = try await world.issue()
    let rotations = try await events.words {
      var token = first.renewal
      for _ in 0..<5 { token = try await world.rotate(token) }
    }
    #expect(rotations == [])

    let second = try await world.issue()
    let replay = try await events.words {
      _ = try await world.rotate(second.renewal)
      _ = try await world.rotate(second.renewal)
    }
    #expect(replay == ["refresh_replayed"])
    world.clock.advance(by: .seconds(31))
    let reuse = try await events.words { _ = try await world.refresh(second.renewal) }
    #expect(reuse == ["token_reused: reused", "grant_ended: reused"])
    let ended = try #require(try await events.records().last)
    #expect(ended.userID == world.user.id)
    #expect(ended.clientID == "app")
    #expect(ended.grantID == second.grant.id)

    let third = try await world.issue()
    for _ in 0..<4 { #expect(try await world.isAlive(third.accessToken)) }
    world.clock.advance(by: .seconds(61))
    #expect(try await world.isAlive(third.accessToken))
    let revoked = try await events.words {
      let kinds = [try await world.tokens.revoke(third.renewal), try await world.tokens.revoke(third.renewal)]
      #expect(kinds == [.refresh, nil])
    }
    #expect(revoked == ["grant_ended: requested_by_app"])
    #expect(try await events.records().last?.calls == 5)
  }

  @Test("Bug-C16: refusals of tokens, each with its cause")
  func refusals() async throws {
    let world = try await TokenWorld()
    let events = AuditEvents(world.storage)
    let family = try await world.family()
    let other = try await world.otherClient()
    let refused = try await events.words {
      _ = try await world.refresh("none")
      _ = try await world.tokens.refresh(family, client: other)
      _ = try await world.refresh(family, scopes: ["everything"])
    }
    #expect(refused == ["grant_refused: unknown", "grant_refused: other_client", "grant_refused: scope_too_wide"])
    try await world.identity.identity.setPassword("another fine long password", forUserNamed: "ada")
    let words = try await events.words { _ = try await world.tokens.issue(world.request()) }
    #expect(words == ["grant_refused: user_changed"])
  }

  @Test("Bug-C16: clients that are registered, changed, kept out, let in, removed, and those that are not who they say")
  func clients() async throws {
    let world = try await TokenWorld()
    let events = AuditEvents(world.storage)
    let words = try await events.words {
      let made = try await world.clients.register(
        ClientRegistration(id: "web", name: "Web", policy: .standard, authentication: .newSecret))
      for secret in ["wrong", nil] {
        _ = try await world.clients.authenticate(id: "web", secret: secret.map { Secret($0) })
      }
      _ = try await world.clients.authenticate(id: "none", secret: "wrong")
      _ = try await world.clients.authenticate(id: "web", secret: made.secret)
      try await world.clients.update("web") { $0.name = "The web" }
      _ = try await world.clients.addSecret(clientID: "web")
      try await world.clients.retireOldSecrets(clientID: "web")
      try await world.clients.setDisabled(true, clientID: "web")
      try await world.clients.setDisabled(false, clientID: "web")
      _ = try await world.issue()
      try await world.clients.remove("app")
      try await world.storage.noteCountedRefusals(all: true)
    }
    #expect(
      words == [
        "client_made", "client_refused: wrong", "client_refused: unknown", "client_changed", "client_changed",
        "client_changed", "client_disabled: administrator", "client_enabled: administrator", "grant_begun",
        "grant_ended: client_removed", "client_removed: administrator", "client_refused: wrong",
      ])
    let unknown = try await events.records().first { $0.word == "client_refused: unknown" }
    #expect(unknown?.clientID == nil && unknown?.nameMark != nil, "what is no client's id may be a secret")
  }
}
