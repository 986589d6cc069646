import Crypto
import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryJOSE
import OstiaryTesting
import Testing

/// Each fault of a provider is seen where it is made, and nowhere without it.
@Suite struct ProviderFaultTests {
  @Test(
    "KIT-40 The provider is wrong in the way that was asked for, before and after in none",
    arguments: ProviderFault.allCases.filter { $0 != .lateAnswer })
  func seen(_ fault: ProviderFault) async throws {
    for name in fault == .hugeMetadata ? ["ES256"] : ["ES256", "RS256"] {
      let visitor = try ProviderVisitor(signingWith: #require(SignatureAlgorithm(name: name)))
      #expect(try await !Self.isSeen(fault, visitor), "\(name) before")
      visitor.provider.makeWrong(fault)
      #expect(try await Self.isSeen(fault, visitor), "\(name)")
      visitor.provider.makeRight()
      #expect(try await !Self.isSeen(fault, visitor), "\(name) after")
    }
  }

  @Test("KIT-41 A late answer comes after its time-out, or in time, by the clock; the provider has acted")
  func late() async throws {
    for (lateness, isInTime) in [(Duration.seconds(29), true), (.seconds(30), false)] {
      let visitor = try ProviderVisitor()
      visitor.provider.settings.lateness = lateness
      visitor.provider.makeWrong(.lateAnswer)
      let code = try visitor.callback()["code"]
      let task = Task { try await visitor.exchange(code).status }
      try await visitor.clock.waitForSleepers()
      visitor.clock.advance(by: lateness)
      if isInTime {
        #expect(try await task.value == .ok)
      } else {
        await #expect(throws: OstiaryError(.timedOut, "")) { try await task.value }
      }
      #expect(visitor.provider.counts.signIns == 1)
    }
  }

  @Test("KIT-42 A fault has its place and its times")
  func placeAndTimes() async throws {
    let visitor = try ProviderVisitor()
    visitor.provider.makeWrong(.unavailable, at: .keys, times: 2)
    #expect(try await visitor.get(.openIDMetadata).status == .ok)
    #expect(try await visitor.get(.keys).status == .serviceUnavailable)
    #expect(try await visitor.get(.openIDMetadata).status == .ok)
    #expect(try await visitor.get(.keys).status == .serviceUnavailable)
    #expect(try await visitor.get(.keys).status == .ok)
    visitor.provider.makeWrong(.missingIss, times: 1)
    #expect(try visitor.callback()["iss"] == nil)
    #expect(try visitor.callback()["iss"] != nil)
  }

  @Test("KIT-43 An answer that is lost was given all the same")
  func lost() async throws {
    let visitor = try ProviderVisitor()
    let tokens = try await visitor.signIn()
    visitor.provider.makeWrong(.lostAnswer, times: 1)
    await #expect(throws: OstiaryError(.connectionLost, "")) { try await visitor.renew(tokens["refresh_token"]) }
    #expect(visitor.provider.counts.renewals == 1)
    #expect(try await visitor.renew(tokens["refresh_token"]).error == "invalid_grant")
    #expect(visitor.provider.counts.reusedRefreshTokens == 1)
  }

  // MARK: What is seen of each

  private static func isSeen(_ fault: ProviderFault, _ visitor: ProviderVisitor) async throws -> Bool {
    switch fault {
    case .metadataOfAnotherIssuer, .metadataWithPlainHTTP, .metadataWithoutTokenEndpoint, .hugeMetadata, .hugeKeySet,
      .emptyKeySet, .keysWithoutNames, .metadataOfAnotherResource:
      try await isSeenInDocuments(fault, visitor)
    case .missingIss: try visitor.callback()["iss"] == nil
    case .wrongIss: try visitor.callback()["iss"] == "https://other.example"
    case .wrongState: try visitor.callback()["state"] == "another-s"
    case .emptyRefusals400, .ownErrorNames403, .noExpiresIn, .noAccessToken, .unknownTokenType,
      .changesRefreshTokenOnlyOnUse, .acceptsEachCode, .bearerInAnswerToProof, .nonceEachTime, .nonceWithoutValue,
      .okToPushedRequest, .expiredRequestURI:
      try await isSeenInTokens(fault, visitor)
    case .lostAnswer, .cutAnswer, .htmlAnswers, .redirects, .unavailable, .lateAnswer:
      try await isSeenInAnswers(fault, visitor)
    default: try await isSeenInIDToken(fault, visitor)
    }
  }

  private static func isSeenInDocuments(_ fault: ProviderFault, _ visitor: ProviderVisitor) async throws -> Bool {
    let openID = try await visitor.get(.openIDMetadata)
    if fault == .hugeMetadata { return openID.body.count > 10 << 20 }
    let server = try await visitor.get(.serverMetadata)
    #expect(openID.members == server.members)
    let keys = try await visitor.get(.keys).members["keys"]?.array ?? []
    let answer = try await visitor.signIn()
    let header = try PresentedToken(#require(answer["id_token"]?.string)).unverifiedHeader
    if fault == .keysWithoutNames { #expect(try await visitor.refusal(answer) == nil) }
    return switch fault {
    case .metadataOfAnotherIssuer: openID.members["issuer"]?.string != visitor.provider.settings.issuer
    case .metadataWithPlainHTTP: openID.members["token_endpoint"] == "http://provider.example/token"
    case .metadataWithoutTokenEndpoint: openID.members["token_endpoint"] == nil
    case .hugeKeySet: keys.count == 10_000
    case .emptyKeySet: keys.isEmpty
    case .keysWithoutNames: keys.allSatisfy { $0["kid"] == nil } && header.keyID == nil
    default: try await visitor.get(.resourceMetadata).members["resource"]?.string != ProviderVisitor.api
    }
  }

  private static func isSeenInIDToken(_ fault: ProviderFault, _ visitor: ProviderVisitor) async throws -> Bool {
    let answer = try await visitor.signIn([("acr_values", "2")])
    if fault == .missingIDToken { return answer["id_token"] == nil }
    let refusals: [ProviderFault: JOSEError.Code] = [
      .wrongIssuer: .wrongIssuer, .wrongAudience: .wrongAudience, .expiredIDToken: .expired,
      .futureIDToken: .notYetValid, .missingExpiry: .claimMissing, .missingIssueTime: .claimMissing,
      .missingNonce: .claimMissing, .wrongNonce: .wrongClaim, .unsignedIDToken: .unsigned,
      .wrongSignature: .wrongSignature, .unknownKey: .unknownKey, .publicKeyAsSecret: .algorithmNotAllowed,
      .encryptedIDToken: .encrypted, .repeatedClaim: .repeatedMember, .changedSubject: .wrongClaim,
      .missingSubject: .claimMissing, .longSubject: .wrongClaim,
    ]
    let refusal = try await visitor.refusal(answer)
    if let expected = refusals[fault] { return refusal == expected }
    #expect(refusal == nil)
    let claims = try visitor.claims(answer)
    let now = visitor.clock.now.timeIntervalSince1970
    switch fault {
    case .missingAuthorizedParty: return claims["aud"]?.array?.count == 2 && claims["azp"] == nil
    case .wrongAuthorizedParty: return claims["azp"] == "another-app"
    case .wrongAccessTokenHash:
      let hash = SHA256.hash(data: Data((answer["access_token"]?.string ?? "").utf8)).prefix(16)
      return claims["at_hash"]?.string != StrictBase64URL.encode(Array(hash))
    case .oldAuthentication: return claims["auth_time"]?.double == now - 86_400
    case .missingAuthenticationTime: return claims["auth_time"] == nil
    case .weakAuthentication: return claims["acr"] != "2"
    case .userInfoOfAnotherUser:
      let field = "Bearer " + (answer["access_token"]?.string ?? "")
      return try await visitor.get(.userInfo, fields: [.authorization: field]).members["sub"] != claims["sub"]
    default:
      Issue.record("\(fault) is not looked for")
      return false
    }
  }

  private static func isSeenInTokens(_ fault: ProviderFault, _ visitor: ProviderVisitor) async throws -> Bool {
    let key = try SigningKey.make(.es256)
    switch fault {
    case .emptyRefusals400:
      let refused = try await visitor.renew("x")
      return refused.status == .badRequest && refused.body.isEmpty
    case .ownErrorNames403:
      let refused = try await visitor.renew("x")
      return refused.status == .forbidden && refused.error == "provider_invalid_grant"
    case .noExpiresIn: return try await visitor.signIn()["expires_in"] == nil
    case .noAccessToken: return try await visitor.signIn()["access_token"] == nil
    case .unknownTokenType: return try await visitor.signIn()["token_type"] == "mac"
    case .changesRefreshTokenOnlyOnUse:
      let first = try await visitor.signIn()["refresh_token"]
      _ = try await visitor.renew(first)
      return try await visitor.renew(first).status == .ok
    case .acceptsEachCode:
      let code = try visitor.callback()["code"]
      _ = try await visitor.exchange(code)
      return try await visitor.exchange(code, [("code_verifier", "x")]).status == .ok
    case .bearerInAnswerToProof:
      return try await visitor.signIn(fields: visitor.proof(key))["token_type"] == "Bearer"
    case .nonceEachTime:
      let first = try await visitor.exchange("x", fields: visitor.proof(key))
      let second = try await visitor.exchange("x", fields: visitor.proof(key, nonce: first.nonce))
      return second.error == "use_dpop_nonce" && second.nonce != nil && first.nonce != second.nonce
    case .nonceWithoutValue:
      let refused = try await visitor.exchange("x", fields: visitor.proof(key))
      return refused.error == "use_dpop_nonce" && refused.nonce == nil
    case .okToPushedRequest:
      return try await visitor.post(.pushedAuthorization, visitor.request()).status == .ok
    default:
      let pushed = try await visitor.post(.pushedAuthorization, visitor.request()).members
      let page = try visitor.address(
        .authorization, [("client_id", "app"), ("request_uri", pushed["request_uri"]?.string ?? "")])
      return (try? visitor.provider.visit(page)) == nil
    }
  }

  private static func isSeenInAnswers(_ fault: ProviderFault, _ visitor: ProviderVisitor) async throws -> Bool {
    let code = try visitor.callback()["code"]
    let answer: TransportResponse
    do {
      answer = try await visitor.exchange(code)
    } catch {
      return fault == .lostAnswer && error as? OstiaryError == OstiaryError(.connectionLost, "")
    }
    return switch fault {
    case .cutAnswer: answer.status == .ok && !answer.body.isEmpty && answer.members.isEmpty
    case .htmlAnswers: answer.status == .ok && answer.mediaType == "text/html"
    case .redirects: answer.status == .found
    case .unavailable: answer.status == .serviceUnavailable
    default: false
    }
  }
}
