/// A way in which a ``ScriptedProvider`` is wrong. It is wrong in one way at a time, so that a test shows which rule
/// noticed.
public enum ProviderFault: String, Sendable, Hashable, CaseIterable {
  // MARK: Metadata and keys

  /// The metadata name another issuer.
  case metadataOfAnotherIssuer
  /// The metadata name endpoints that are not encrypted.
  case metadataWithPlainHTTP
  /// The metadata have no token endpoint.
  case metadataWithoutTokenEndpoint
  /// The metadata have 10 MB.
  case hugeMetadata
  /// The key set has 10,000 keys.
  case hugeKeySet
  /// The key set is empty.
  case emptyKeySet
  /// The keys have no names, and neither do the tokens name any.
  case keysWithoutNames
  /// An API's document is about another API (RFC 9728 §3.3).
  case metadataOfAnotherResource

  // MARK: ID tokens

  /// The ID token is missing.
  case missingIDToken
  /// The ID token is another issuer's.
  case wrongIssuer
  /// The ID token is for another client.
  case wrongAudience
  /// The ID token is for this client and another one, and does not say which of them asked for it (`azp`).
  case missingAuthorizedParty
  /// The ID token was asked for by another client (`azp`).
  case wrongAuthorizedParty
  /// The ID token expired an hour ago.
  case expiredIDToken
  /// The ID token was issued tomorrow.
  case futureIDToken
  /// The ID token does not say when it expires.
  case missingExpiry
  /// The ID token does not say when it was issued.
  case missingIssueTime
  /// The ID token has no nonce. At a renewal that is no fault.
  case missingNonce
  /// The ID token has another nonce, at renewals too.
  case wrongNonce
  /// The ID token is not signed (`none`).
  case unsignedIDToken
  /// The ID token's signature is another key's.
  case wrongSignature
  /// The ID token is signed with a key that the key set does not have, another one each time.
  case unknownKey
  /// The ID token is signed with the public key as a shared secret (HS256).
  case publicKeyAsSecret
  /// The ID token is encrypted, by its form.
  case encryptedIDToken
  /// The ID token has a claim twice.
  case repeatedClaim
  /// The ID token is for another access token (`at_hash`).
  case wrongAccessTokenHash
  /// The ID token and the userinfo endpoint name another user.
  case changedSubject
  /// The ID token names no user.
  case missingSubject
  /// The ID token's `sub` has 256 characters.
  case longSubject
  /// The ID token says that the user signed in a day ago.
  case oldAuthentication
  /// The ID token does not say when the user signed in.
  case missingAuthenticationTime
  /// The ID token says that the user signed in more weakly than was asked for (`acr`).
  case weakAuthentication
  /// The userinfo endpoint names another user than the ID token.
  case userInfoOfAnotherUser

  // MARK: Callbacks

  /// The callback does not name the issuer, though the metadata promise it (RFC 9207).
  case missingIss
  /// The callback names another issuer.
  case wrongIss
  /// The callback, and that of the end of a sign-in, has another state.
  case wrongState

  // MARK: The token endpoint

  /// Refusals have an empty body.
  case emptyRefusals400
  /// Refusals have 403 and error names of the provider's own.
  case ownErrorNames403
  /// The answer does not say how long the access token lives.
  case noExpiresIn
  /// The answer has no access token.
  case noAccessToken
  /// The access token is of a type that clients don't know.
  case unknownTokenType
  /// A refresh token stays good until an access token that was given for it is used; until then each renewal gives another
  /// successor.
  case changesRefreshTokenOnlyOnUse
  /// The code verifier, the redirect URI and the code's first use count for nothing.
  case acceptsEachCode

  // MARK: Proofs and pushed requests

  /// A client that shows a proof gets tokens that are bound to no key (`Bearer`).
  case bearerInAnswerToProof
  /// Each proof is refused, and another nonce demanded (`use_dpop_nonce`).
  case nonceEachTime
  /// A nonce is demanded that the answer does not have.
  case nonceWithoutValue
  /// A pushed request is answered with 200.
  case okToPushedRequest
  /// The address that a pushed request gets has expired when it is used.
  case expiredRequestURI

  // MARK: Each endpoint

  /// The provider has acted; its answer is lost.
  case lostAnswer
  /// The provider has acted; its answer takes ``ProviderSettings/lateness``.
  case lateAnswer
  /// The provider has acted; half of its answer's body arrives, as if it were all.
  case cutAnswer
  /// A page comes in place of an answer (200), as a captive portal's does.
  case htmlAnswers
  /// A redirect to another host comes in place of an answer.
  case redirects
  /// 503 comes in place of an answer.
  case unavailable
}

extension ProviderFault {
  /// Where it shows, unless the test says where.
  var endpoints: Set<ProviderEndpoint> {
    switch self {
    case .metadataOfAnotherIssuer, .metadataWithPlainHTTP, .metadataWithoutTokenEndpoint, .hugeMetadata:
      [.openIDMetadata, .serverMetadata]
    case .metadataOfAnotherResource: [.resourceMetadata]
    case .hugeKeySet, .emptyKeySet: [.keys]
    case .keysWithoutNames: [.keys, .token]
    case .missingIss, .wrongIss: [.authorization]
    case .wrongState: [.authorization, .endSession]
    case .changedSubject: [.token, .userInfo]
    case .userInfoOfAnotherUser: [.userInfo]
    case .okToPushedRequest, .expiredRequestURI: [.pushedAuthorization]
    case .changesRefreshTokenOnlyOnUse: [.token, .resource, .userInfo]
    case .nonceEachTime, .nonceWithoutValue: [.token, .pushedAuthorization, .userInfo, .resource]
    case .htmlAnswers, .redirects, .unavailable: ProviderEndpoint.asked
    default: [.token]
    }
  }
}

/// The way in which a provider is wrong now.
struct ActiveFault: Sendable {
  let fault: ProviderFault
  let endpoints: Set<ProviderEndpoint>
  /// How often it is still wrong; `nil`: until the test says otherwise.
  var times: Int?
}
