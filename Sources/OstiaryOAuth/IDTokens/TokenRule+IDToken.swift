internal import Crypto
internal import Foundation
internal import OstiaryCore
internal import OstiaryJOSE

// The rules for ID tokens (OpenID Connect Core §2 and §3.1.3.7), each with the place where it stands.
extension TokenRule {
  /// (2): the issuer made it.
  static func madeBy(_ issuer: String, orNamed others: Set<String>) -> TokenRule {
    TokenRule { token, _ throws(JOSEError) in
      let own = try token.text("iss")
      guard !issuer.contains(TenantIssuer.place) else { return try isTenant(token, own, of: issuer) }
      guard own.hasSameBytes(as: issuer) || others.contains(where: { own.hasSameBytes(as: $0) }) else {
        throw JOSEError(.wrongIssuer, "Another issuer has made the ID token.")
      }
    }.citing(IDTokenRules.step(2))
  }

  /// One of many tenants made it, and its key is for that tenant or for all.
  private static func isTenant(_ token: VerifiedToken, _ own: String, of template: String) throws(JOSEError) {
    let tenant = token["tid"]?.string
    guard let issuer = TenantIssuer.expanded(template, tenant: tenant), own.hasSameBytes(as: issuer) else {
      throw JOSEError(.wrongIssuer, "Another issuer has made the ID token, or none of its tenants.")
    }
    guard let key = token.key.jwk?.issuer else { return }
    guard key.hasSameBytes(as: template) || key.hasSameBytes(as: issuer) else {
      throw JOSEError(.keyNotAllowed, "The key that signed the ID token is another tenant's.")
    }
  }

  /// (3) and (4): it is for this client, and for no recipient besides that the client does not trust.
  ///
  /// Without a list, others are trusted where the issuer says which of them the token was made for.
  static func isFor(_ client: String, trusting others: Set<String>?) -> TokenRule {
    TokenRule { token, _ throws(JOSEError) in
      let audiences = token.audiences.filter { !$0.hasSameBytes(as: client) }
      guard audiences.count < token.audiences.count else { return }
      if let others {
        guard audiences.allSatisfy({ audience in others.contains { $0.hasSameBytes(as: audience) } }) else {
          throw JOSEError(
            .untrustedAudience, "The ID token is for a recipient besides, which is not trusted.",
            source: IDTokenRules.step(3))
        }
      }
      guard audiences.isEmpty || token["azp"] != nil else {
        throw JOSEError(
          .wrongAuthorizedParty,
          "The ID token is for several recipients and does not say which of them it was made for.",
          source: IDTokenRules.step(4))
      }
    }
  }

  /// (5): the party that it was made for, if it says so, is this client.
  static func madeFor(_ client: String) -> TokenRule {
    TokenRule { token, _ throws(JOSEError) in
      guard let party = token["azp"] else { return }
      guard party.string?.hasSameBytes(as: client) == true else {
        throw JOSEError(.wrongAuthorizedParty, "The ID token was made for another party.")
      }
    }.citing(IDTokenRules.step(5))
  }

  /// It is no logout token, which has the same issuer, audience and user, and whose type servers may leave out.
  static let isNoLogout = TokenRule { token, _ throws(JOSEError) in
    guard token["events"]?[IDTokenRules.logoutEvent] == nil else {
      throw JOSEError(
        .wrongType, "The token is about a logout, and no ID token.",
        source: "OpenID Connect Back-Channel Logout 1.0 §2.4")
    }
  }

  /// §2: the subject is a text of 1 to 255 ASCII characters.
  static let saysWho = TokenRule { token, _ throws(JOSEError) in
    let subject = try token.text("sub").utf8
    guard (1...255).contains(subject.count), subject.allSatisfy({ $0 < 0x80 }) else {
      throw JOSEError(.wrongSubject, "The subject of the ID token is empty, longer than 255 characters or not ASCII.")
    }
  }.citing("OpenID Connect Core §2")

  /// (10): it says when it was issued, not in the future and not longer ago than the client allows.
  static func issuedAtAll(within age: Duration?, skew: Duration) -> TokenRule {
    .issued(within: age ?? .seconds(1e11), skew: skew).citing(IDTokenRules.step(10))
  }

  /// (11): it has the nonce of this sign-in.
  static func answers(nonce: Secret) -> TokenRule {
    TokenRule { token, _ throws(JOSEError) in
      guard let own = token["nonce"]?.string, own.hasSameBytes(as: nonce.reveal()) else {
        throw JOSEError(.wrongNonce, "The ID token has not the nonce of this sign-in.")
      }
    }.citing(IDTokenRules.step(11))
  }

  /// §3.1.3.8: it belongs to the access token that came with it, if it says so.
  static func belongs(to accessToken: Secret) -> TokenRule {
    TokenRule { token, _ throws(JOSEError) in
      guard let own = token["at_hash"] else { return }
      guard let hash = IDTokenRules.leftHalf(of: accessToken, as: token.algorithm),
        own.string?.hasSameBytes(as: hash) == true
      else { throw JOSEError(.wrongAccessToken, "The ID token belongs to another access token.") }
    }.citing("OpenID Connect Core §3.1.3.8")
  }

  /// (12): the sign-in was in one of the contexts that were asked for.
  static func authenticated(inOneOf classes: [String]) -> TokenRule {
    TokenRule { token, _ throws(JOSEError) in
      guard let own = token["acr"]?.string, classes.contains(where: { own.hasSameBytes(as: $0) }) else {
        throw JOSEError(.wrongContextClass, "The sign-in was in another authentication context than was asked.")
      }
    }.citing(IDTokenRules.step(12))
  }

  /// (13): the user signed in at the server not longer ago than was asked.
  static func authenticated(within age: Duration, skew: Duration) -> TokenRule {
    TokenRule { token, now throws(JOSEError) in
      guard let time = try token.time("auth_time") else {
        throw JOSEError(.authenticationTooOld, "The ID token does not say when the user signed in at the server.")
      }
      let seconds = now.timeIntervalSince1970
      guard time >= seconds - age.seconds - skew.seconds, time <= seconds + skew.seconds else {
        throw JOSEError(.authenticationTooOld, "The user signed in at the server longer ago than was asked.")
      }
    }.citing(IDTokenRules.step(13))
  }
}

/// The rules in their order, and where they stand.
enum IDTokenRules {
  static func step(_ number: Int) -> String { "OpenID Connect Core §3.1.3.7 (\(number))" }

  /// What a logout token is about (`events`, OpenID Connect Back-Channel Logout 1.0 §2.4).
  static let logoutEvent = "http://schemas.openid.net/event/backchannel-logout"

  /// The left half of a token's hash (§3.1.3.6), with the hash of the ID token's algorithm; `nil` for one that has none.
  static func leftHalf(of token: Secret, as algorithm: SignatureAlgorithm) -> String? {
    let bytes = Data(token.reveal().utf8)
    let hash: [UInt8]
    switch algorithm.name {
    case "ES256", "RS256", "PS256", "HS256": hash = Array(SHA256.hash(data: bytes))
    case "ES384", "RS384", "PS384", "HS384": hash = Array(SHA384.hash(data: bytes))
    // Ed25519 has SHA-512 inside (RFC 8032 §5.1).
    case "ES512", "RS512", "PS512", "HS512", "EdDSA", "Ed25519": hash = Array(SHA512.hash(data: bytes))
    default: return nil
    }
    return StrictBase64URL.encode(hash.prefix(hash.count / 2))
  }
}
