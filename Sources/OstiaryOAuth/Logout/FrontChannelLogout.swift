public import Foundation
public import OstiaryCore

/// A request to log out that a server made through the user's browser (OpenID Connect Front-Channel Logout 1.0 §2).
///
/// Nothing in it is signed: any page that is open in the browser can make it. It ends no other session than the one of the browser that brings
/// it, and that one only if ``ends(_:)`` says so.
public struct FrontChannelLogout: Sendable, Hashable {
  /// The issuer that it names; `nil` where it names none.
  public let issuer: String?
  /// The session at the server that it names (`sid`); `nil` where it names none.
  public let sessionID: String?

  /// Whether it is about the session of the browser that brought it: where it names one, the session's ID token has the same issuer and
  /// `sid`.
  public func ends(_ session: Session) -> Bool {
    guard let token = IDToken(of: session) else { return false }
    guard let issuer, let sessionID else { return true }
    return issuer.hasSameBytes(as: token.issuer) && token.sessionID?.hasSameBytes(as: sessionID) == true
  }
}

extension FrontChannelLogout: Redacted {
  /// By whose word.
  public var description: String { "FrontChannelLogout(by \(issuer ?? "a server that is not named"))" }
}

extension OAuthClient {
  /// Reads a front-channel logout request.
  /// - Parameters:
  ///   - url: the address that the browser was sent to.
  ///   - requiresSession: whether the request has to name the issuer and the session
  ///     (`frontchannel_logout_session_required`). Without it any page can log a user out.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `logoutRefused` for another issuer's, for one that names a session without an issuer or
  ///   something twice, and for one without a session where that is required.
  public func frontChannelLogout(_ url: URL, requiresSession: Bool = true) throws -> FrontChannelLogout {
    guard url.absoluteString.utf8.count <= 1 << 16 else {
      throw OstiaryError.logoutRefused("The logout request is too long.")
    }
    var values: [String: String] = [:]
    for pair in FormEncoding.parse(url.query(percentEncoded: true) ?? "") where ["iss", "sid"].contains(pair.name) {
      guard values.updateValue(pair.value, forKey: pair.name) == nil else {
        throw OstiaryError.logoutRefused("The logout request says something twice.")
      }
    }
    let (issuer, sessionID) = (values["iss"], values["sid"])
    guard (issuer == nil) == (sessionID == nil) else {
      throw OstiaryError.logoutRefused(
        "The logout request names an issuer or a session alone (OpenID Connect Front-Channel Logout 1.0 §2).")
    }
    guard issuer != nil || !requiresSession else {
      throw OstiaryError.logoutRefused(
        "The logout request names no session (OpenID Connect Front-Channel Logout 1.0 §2).")
    }
    if let issuer {
      guard let own = idTokens?.issuer ?? endpoints.issuer,
        issuer.hasSameBytes(as: own) || TenantIssuer.stands(own, for: issuer)
      else {
        throw OstiaryError.logoutRefused(
          "The logout request names another issuer (OpenID Connect Front-Channel Logout 1.0 §3).")
      }
    }
    return FrontChannelLogout(issuer: issuer, sessionID: sessionID)
  }
}
