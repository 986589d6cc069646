import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import Testing

@Suite struct ProviderRenewalTests {
  private func visitor(_ rotation: RefreshRotation) throws -> ProviderVisitor {
    var settings = ProviderSettings()
    settings.rotation = rotation
    return try ProviderVisitor(settings)
  }

  @Test("KIT-10 Without rotation the refresh token stays, and answers have none")
  func staying() async throws {
    let visitor = try visitor(.none)
    let first = try await visitor.signIn()
    for _ in 0..<3 {
      let answer = try await visitor.renew(first["refresh_token"]).members
      #expect(answer["refresh_token"] == nil)
      #expect(try await visitor.use(answer["access_token"]).status == .ok)
    }
    #expect(visitor.provider.counts.renewals == 3)
  }

  @Test("KIT-11 A strict provider ends the sign-in when a refresh token comes twice")
  func strict() async throws {
    let visitor = try visitor(.strict)
    let first = try await visitor.signIn()
    let second = try await visitor.renew(first["refresh_token"]).members
    #expect(second["refresh_token"] != first["refresh_token"])
    #expect(try await visitor.renew(first["refresh_token"]).error == "invalid_grant")
    #expect(try await visitor.renew(second["refresh_token"]).error == "invalid_grant")
    #expect(try await visitor.use(second["access_token"]).status == .unauthorized)
    #expect(visitor.provider.counts.reusedRefreshTokens == 1)
    #expect(visitor.provider.signedInUsers.isEmpty)
  }

  @Test("KIT-12 A provider that repeats the successor gives the same answer until it is used")
  func repeating() async throws {
    let visitor = try visitor(.repeatsSuccessor)
    let first = try await visitor.signIn()
    let second = try await visitor.renew(first["refresh_token"]).members
    let again = try await visitor.renew(first["refresh_token"]).members
    #expect(again["refresh_token"] == second["refresh_token"])
    #expect(again["access_token"] == second["access_token"])
    #expect(visitor.provider.counts.renewals == 1)
    #expect(visitor.provider.counts.repeatedRenewals == 1)
    // The access token has ended meanwhile; the successor is still the same.
    visitor.clock.advance(by: .seconds(301))
    let later = try await visitor.renew(first["refresh_token"]).members
    #expect(later["refresh_token"] == second["refresh_token"])
    #expect(try await visitor.use(later["access_token"]).status == .ok)
    #expect(try await visitor.renew(first["refresh_token"]).error == "invalid_grant")
    #expect(visitor.provider.signedInUsers.isEmpty)
  }

  @Test("KIT-13 A provider with grace gives other tokens for a while, and then takes them for stolen")
  func grace() async throws {
    let visitor = try visitor(.grace(.seconds(30)))
    let first = try await visitor.signIn()
    let second = try await visitor.renew(first["refresh_token"]).members
    visitor.clock.advance(by: .seconds(30))
    let other = try await visitor.renew(first["refresh_token"]).members
    #expect(other["refresh_token"] != second["refresh_token"])
    #expect(try await visitor.use(second["access_token"]).status == .ok)
    #expect(try await visitor.use(other["access_token"]).status == .ok)
    visitor.clock.advance(by: .seconds(1))
    #expect(try await visitor.renew(first["refresh_token"]).error == "invalid_grant")
    #expect(visitor.provider.signedInUsers.isEmpty)
  }

  @Test("KIT-14 A provider that ends a refresh token with the first use of its access token")
  func onFirstUse() async throws {
    let visitor = try visitor(.onFirstUse)
    let first = try await visitor.signIn()
    let second = try await visitor.renew(first["refresh_token"]).members
    let third = try await visitor.renew(first["refresh_token"]).members
    #expect(second["refresh_token"] != third["refresh_token"])
    #expect(try await visitor.use(third["access_token"]).status == .ok)
    #expect(try await visitor.renew(first["refresh_token"]).error == "invalid_grant")
    #expect(try await visitor.renew(third["refresh_token"]).status == .ok)
    #expect(visitor.provider.signedInUsers == ["ann"])
  }

  @Test("KIT-15 Scopes and resources can be fewer at a renewal, not more")
  func fewer() async throws {
    var settings = ProviderSettings()
    settings.rotation = .none
    settings.resources.append("https://files.example/v1")
    let visitor = try ProviderVisitor(settings)
    let both = settings.resources.map { ("resource", $0) }
    let first = try await visitor.signIn(both)
    let token = first["refresh_token"]
    let one = try await visitor.renew(token, [both[0], ("scope", "openid")]).members
    #expect(one["scope"] == "openid")
    let files = try #require(URL(string: "https://files.example/v1/a"))
    func fields(_ answer: [String: JSONValue]) -> HTTPFields {
      [.authorization: "Bearer " + (answer["access_token"]?.string ?? "")]
    }
    #expect(try await visitor.use(one["access_token"]).status == .ok)
    #expect(try await visitor.get(files, fields: fields(one)).status == .unauthorized)
    #expect(try await visitor.get(files, fields: fields(first)).status == .ok)
    #expect(try await visitor.renew(token, [("scope", "openid admin")]).error == "invalid_scope")
    #expect(try await visitor.renew(token, [("resource", "https://other.example/")]).error == "invalid_target")
  }

  @Test("KIT-16 Tokens end by the clock, by the test and by revocation")
  func ends() async throws {
    let visitor = try visitor(.none)
    let first = try await visitor.signIn()
    visitor.clock.advance(by: .seconds(299))
    #expect(try await visitor.use(first["access_token"]).status == .ok)
    visitor.clock.advance(by: .seconds(1))
    #expect(try await visitor.use(first["access_token"]).status == .unauthorized)
    let second = try await visitor.renew(first["refresh_token"]).members
    visitor.provider.expireAccessTokens()
    #expect(try await visitor.use(second["access_token"]).status == .unauthorized)
    let revoked = try await visitor.post(
      .revocation, [("client_id", "app"), ("token", first["refresh_token"]?.string ?? "")])
    #expect(revoked.status == .ok)
    #expect(try await visitor.renew(first["refresh_token"]).error == "invalid_grant")
    let other = try await visitor.signIn()
    visitor.provider.endSignIns(of: "ben")
    #expect(try await visitor.use(other["access_token"]).status == .ok)
    visitor.provider.endSignIns()
    #expect(try await visitor.use(other["access_token"]).status == .unauthorized)
  }
}
