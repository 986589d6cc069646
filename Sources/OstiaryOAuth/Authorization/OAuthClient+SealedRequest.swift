public import Foundation
internal import OstiaryCore
internal import OstiaryJOSE
public import OstiarySealing

// For servers that are relying parties: the request goes out from one process, and the browser's answer comes to another.
extension OAuthClient {
  /// An authorization request as a text for a cookie: what any process with the keys needs to finish it, and what the browser that keeps it
  /// can neither read nor change.
  ///
  /// Set it as a cookie with `Secure`, `HttpOnly` and `SameSite=Lax`, for the path of the redirect URI, under a name that no other request has
  /// at the same time, and remove it when the answer has come.
  ///
  /// ```swift
  /// let request = try AuthorizationRequest(client, redirectURI: callback, scope: "openid")
  /// let cookie = try client.sealed(request, with: keys, until: now + 600)      // and send the browser to request.url
  /// // … in the process that gets the browser's answer:
  /// let begun = try client.authorizationRequest(sealed: cookie, with: keys, at: now)
  /// let tokens = try await client.tokens(for: begun.check(url), to: begun, in: context)
  /// let grant = try await authenticator.grant(for: tokens, in: context)
  /// ```
  /// - Parameters:
  ///   - request: one of this client's.
  ///   - keys: the current one seals.
  ///   - end: until when the user has time.
  public func sealed(_ request: AuthorizationRequest, with keys: SealingKeys, until end: Date) throws -> String {
    do {
      let data = BegunAuthorization(request, until: end).data
      return StrictBase64URL.encode([UInt8](try SealedRecord.seal(data, for: sealName, with: keys.current)))
    } catch {
      throw OstiaryError(.internalError, "The authorization request could not be sealed.", underlying: error)
    }
  }

  /// An authorization request that was sealed, to finish it. Its ``AuthorizationRequest/url`` is the server's page alone: it was
  /// shown already.
  /// - Parameter now: the time.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `callbackRefused` for a text that is none of these keys', another client's or another
  ///   server's, and for one whose time is over; `invalidInput` without an authorization endpoint.
  public func authorizationRequest(
    sealed text: String, with keys: SealingKeys, at now: Date
  ) throws -> AuthorizationRequest {
    guard let page = endpoints.authorization else {
      throw OstiaryError.invalidOAuthInput(
        "The client knows no authorization endpoint.", "Give one among the endpoints.")
    }
    guard text.utf8.count <= Self.longestSeal, let record = StrictBase64URL.decode(text),
      let data = try? SealedRecord.open(Data(record), for: sealName, with: keys),
      let begun = BegunAuthorization(data)
    else {
      throw OstiaryError.callbackRefused("The callback belongs to no sign-in that was begun here.")
    }
    guard now < begun.end else {
      throw OstiaryError.callbackRefused("The callback comes too late: the time for the sign-in is over.")
    }
    return AuthorizationRequest(begun, self, page: page)
  }

  /// The client and the server, which are bound into the seal: a request opens for no other.
  private var sealName: SessionKey {
    SessionKey("authorization request\n\(id)\n\(endpoints.issuer ?? endpoints.token.absoluteString)")
  }

  /// More than browsers keep.
  private static let longestSeal = 1 << 14
}
