import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Authorization codes", .timeLimit(.minutes(20)))
struct CodeTests {
  // RFC 7636, appendix B.
  static let verifier: Secret = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
  static let challenge = CodeChallenge("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", method: "S256")

  private static func code(
    _ world: TokenWorld, redirectURI: String? = "app:/done", challenge: CodeChallenge? = challenge
  ) async throws -> Secret {
    try #require(
      try await world.tokens.issueCode(
        CodeRequest(grant: world.request(), redirectURI: redirectURI, challenge: challenge)
      ).code)
  }

  private static func redeem(
    _ world: TokenWorld, _ code: Secret, client: ServerClient? = nil, redirectURI: String? = "app:/done",
    verifier: Secret? = verifier
  ) async throws -> TokenDecision {
    try await world.tokens.redeem(
      code: code, client: client ?? world.client, redirectURI: redirectURI, verifier: verifier)
  }

  @Test("OA-04: a code is 256 random bits and good for 60 seconds")
  func life() async throws {
    let world = try await TokenWorld()
    var codes: Set<String> = []
    for _ in 0..<50 { codes.insert(try await Self.code(world).reveal()) }
    #expect(codes.count == 50)
    #expect(codes.allSatisfy { $0.dropFirst(7).description.decodedBase64URL?.count == 32 })
    let (early, late) = (try await Self.code(world), try await Self.code(world))
    world.clock.advance(by: .seconds(59))
    #expect(try await Self.redeem(world, early).tokens != nil)
    world.clock.advance(by: .seconds(1))
    #expect(try await Self.redeem(world, late).refusal == .expired)
    world.clock.advance(by: .seconds(2 * 3600))
    for _ in 0..<70 { _ = try await world.issue(refresh: false) }
    #expect(try await Self.redeem(world, late).refusal == .unknown)
  }

  @Test("OA-04: a door may let codes live longer")
  func longLife() async throws {
    let world = try await TokenWorld { $0.codeLifetime = .seconds(900) }
    let code = try await Self.code(world)
    world.clock.advance(by: .seconds(899))
    #expect(try await Self.redeem(world, code).tokens != nil)
  }

  @Test("OA-04: of many redemptions at once, at two servers, exactly one succeeds")
  func parallel() async throws {
    let folder = TemporaryFolder()
    let world = try await TokenWorld(storage: try ServerStorage.forTest(in: folder.url))
    let other = try await TokenWorld(storage: try ServerStorage.forTest(in: folder.url), clock: world.clock)
    for _ in 0..<20 {
      let code = try await Self.code(world)
      let answers = try await withThrowingTaskGroup(of: TokenDecision.self) { group in
        for caller in 0..<16 {
          group.addTask { try await Self.redeem(caller % 2 == 0 ? world : other, code) }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      let won = answers.compactMap(\.tokens)
      #expect(won.count == 1)
      #expect(answers.count { $0.refusal == .reused } == 15)
      // OA-05: the others were second redemptions.
      let tokens = try #require(won.first)
      #expect(try await world.isAlive(tokens.accessToken) == false)
      #expect(try await other.isAlive(tokens.accessToken) == false)
    }
    try await world.storage.close()
    try await other.storage.close()
  }

  @Test("OA-05: a second redemption fails, and all tokens from the code are dead", arguments: [0, 30, 120])
  func reuse(seconds: Int) async throws {
    let world = try await TokenWorld()
    let code = try await Self.code(world)
    let tokens = try #require(try await Self.redeem(world, code).tokens)
    let renewed = try #require(try await world.refresh(tokens.renewal).tokens)
    world.clock.advance(by: .seconds(seconds))
    // Who can't redeem it can't end anything with it either.
    let stranger = try await world.otherClient()
    #expect(try await Self.redeem(world, code, client: stranger).refusal == .otherClient)
    #expect(try await world.isAlive(renewed.accessToken))
    #expect(try await Self.redeem(world, code).refusal == .reused)
    for access in [tokens.accessToken, renewed.accessToken] { #expect(try await world.isAlive(access) == false) }
    #expect(try await world.refresh(renewed.renewal).refusal == .unknown)
    #expect(world.securityEvents.count == 1)
    #expect(world.securityEvents.first?.metadata["kind"] == "authorization code")
    #expect(try await Self.redeem(world, code).refusal == .reused)
    #expect(world.securityEvents.count == 1)
  }

  @Test("OA-06: a code is its client's, for its redirect URI, byte for byte")
  func binding() async throws {
    let world = try await TokenWorld()
    let stranger = try await world.otherClient()
    let code = try await Self.code(world)
    #expect(try await Self.redeem(world, code, client: stranger).refusal == .otherClient)
    for uri in ["app:/done/", "APP:/done", "app:/done?", "", "https://evil.example"] {
      #expect(try await Self.redeem(world, code, redirectURI: uri).refusal == .otherRedirectURI)
    }
    #expect(try await Self.redeem(world, "ost_ac_other").refusal == .unknown)
    #expect(try await Self.redeem(world, code).tokens != nil)
    // OAuth 2.1: PKCE binds it well enough.
    #expect(try await Self.redeem(world, try await Self.code(world), redirectURI: nil).tokens != nil)
    let without = try await Self.code(world, redirectURI: nil)
    #expect(try await Self.redeem(world, without, redirectURI: "app:/done").refusal == .otherRedirectURI)
    #expect(try await Self.redeem(world, without, redirectURI: nil).tokens != nil)
  }

  @Test("OA-07: PKCE with S256 is required; plain, absent, wrong and unexpected verifiers are refused")
  func challenges() async throws {
    let world = try await TokenWorld()
    let request = CodeRequest(grant: world.request(), redirectURI: nil, challenge: nil)
    #expect(try await world.tokens.issueCode(request).code == nil)
    #expect(CodeChallenge(Self.verifier.reveal(), method: "plain") == nil)
    #expect(CodeChallenge(Self.verifier.reveal(), method: nil) == nil)
    #expect(CodeChallenge("short", method: "S256") == nil)
    #expect(CodeChallenge(String(repeating: "=", count: 43), method: "S256") == nil)

    let code = try await Self.code(world)
    #expect(try await Self.redeem(world, code, verifier: nil).refusal == .codeVerifierMissing)
    #expect(try await Self.redeem(world, code, verifier: "").refusal == .codeVerifierMissing)
    let wrong: [Secret] = [
      "x", Secret(Self.challenge?.value ?? ""), Secret(Self.verifier.reveal() + "A"),
      Secret(String(repeating: "A", count: 1_000_000)),
    ]
    for verifier in wrong {
      #expect(try await Self.redeem(world, code, verifier: verifier).refusal == .codeVerifierWrong)
    }
    #expect(try await Self.redeem(world, code).tokens != nil)
  }

  @Test("OA-07: where a door does without PKCE, a challenge counts all the same, and a verifier alone is refused")
  func optionalChallenge() async throws {
    let world = try await TokenWorld {
      $0.requiresCodeChallenge = false
      $0.longestCodeVerifier = 1024
    }
    let plain = try await Self.code(world, challenge: nil)
    #expect(try await Self.redeem(world, plain).refusal == .codeVerifierUnexpected)
    #expect(try await Self.redeem(world, plain, redirectURI: nil, verifier: nil).refusal == .otherRedirectURI)
    #expect(try await Self.redeem(world, plain, verifier: nil).tokens != nil)
    let bound = try await Self.code(world)
    #expect(try await Self.redeem(world, bound, verifier: nil).refusal == .codeVerifierMissing)
    // 128 random bytes, as a vendor's SDK has them: 171 letters.
    let long = RandomBytes.make(128).base64URL
    let challenge = CodeChallenge(TokenHash(long).data.base64URL, method: "S256")
    #expect(
      try await Self.redeem(world, try await Self.code(world, challenge: challenge), verifier: Secret(long)).tokens
        != nil)
  }

  @Test("A code of a user who was disabled, or given a new password, since is refused")
  func changedUser() async throws {
    let world = try await TokenWorld { $0.endsWithPassword = false }
    let first = try await Self.code(world)
    try await world.identity.identity.disableUser(named: "ada")
    #expect(try await Self.redeem(world, first).refusal == .userDisabled)
    try await world.identity.identity.enableUser(named: "ada")
    #expect(try await Self.redeem(world, first).refusal == .userChanged)
  }
}
