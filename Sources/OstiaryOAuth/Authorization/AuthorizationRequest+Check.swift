public import Foundation
public import OstiaryCore

extension AuthorizationRequest {
  /// Whether an address could be the answer to this request: it goes to the redirect URI and carries the request's
  /// state. A user agent that waits for the callback ignores all other addresses, so that another program can't end the
  /// sign-in.
  public func isAnswered(by callback: URL) -> Bool {
    guard let parameters = try? parameters(of: callback) else { return false }
    return hasState(parameters)
  }

  /// Reads the answer to this request from the address that the browser was sent to.
  ///
  /// The parameters may be in the query or in the fragment. The address must be the redirect URI; the state must be the
  /// request's, and is looked at before anything else that the address says; no parameter may be there twice; an issuer,
  /// if one is named and the client's is known, must be it, and must be named where the server promises that (RFC 9207
  /// §2.4).
  /// - Throws: ``/OstiaryCore/OstiaryError``: `callbackRefused` for an address that is not to be believed;
  ///   `interactionCancelled` when the user or the server said no; `interactionRequired` when the server wants
  ///   the user to do something first; `clientRefused` when it does not accept the request; `serverUnavailable` when it
  ///   could not answer.
  public func check(_ callback: URL) throws -> AuthorizationResponse {
    let parameters = try parameters(of: callback)
    guard hasState(parameters) else {
      throw OstiaryError.callbackRefused("The callback does not carry the state of the sign-in that was begun.")
    }
    if let issuer, let named = parameters["iss"], !named.hasSameBytes(as: issuer) {
      throw OstiaryError.callbackRefused("The callback names another authorization server than the one that was asked.")
    }
    if requiresIssuer, parameters["iss"]?.isEmpty != false {
      throw OstiaryError.callbackRefused(
        "The callback does not name the authorization server, though its metadata promise that (RFC 9207 §2.4).")
    }
    if let error = parameters["error"] {
      let refusal = OAuthRefusal(
        code: .init(error), explanation: parameters["error_description"], status: nil, hiding: [state, pkce.verifier])
      throw refusal.callbackError(terminalRefusals)
    }
    guard let code = parameters["code"], !code.isEmpty else {
      throw OstiaryError.callbackRefused("The callback carries neither a code nor an error.")
    }
    return AuthorizationResponse(code: Secret(code), parameters: parameters)
  }

  /// Whether a server has sent the browser back that was shown a page without a code (RP-Initiated Logout 1.0 §3).
  func checkReturn(_ callback: URL) throws {
    let parameters = try parameters(of: callback)
    guard hasState(parameters) else {
      throw OstiaryError.callbackRefused("The callback does not carry the state of the sign-out that was begun.")
    }
    if let error = parameters["error"] {
      let refusal = OAuthRefusal(
        code: .init(error), explanation: parameters["error_description"], status: nil, hiding: [state])
      throw refusal.callbackError(terminalRefusals)
    }
  }

  private func hasState(_ parameters: OAuthParameters) -> Bool {
    RandomText.areEqual(parameters["state"] ?? "", state.reveal())
  }

  private func parameters(of callback: URL) throws -> OAuthParameters {
    guard callback.absoluteString.utf8.count <= Self.maximumLength else {
      throw OstiaryError.callbackRefused("The callback is too long.")
    }
    guard Self.address(of: callback) == Self.address(of: redirectURI) else {
      throw OstiaryError.callbackRefused("The callback is not to the redirect URI.")
    }
    let own = FormEncoding.parse(redirectURI.query(percentEncoded: true) ?? "").map(\.name)
    var parameters = OAuthParameters()
    var seen: Set<String> = []
    for part in [callback.query(percentEncoded: true), callback.fragment(percentEncoded: true)] {
      for pair in FormEncoding.parse(part ?? "") where !own.contains(pair.name) {
        // Of two values the server and this client could believe different ones (RFC 6749 §3.1).
        guard seen.insert(pair.name).inserted else {
          throw OstiaryError.callbackRefused("The callback says something twice.")
        }
        parameters.add(pair.name, pair.value)
      }
    }
    return parameters
  }

  /// Scheme, authority and path, as far as they tell one redirect URI from another. Three differences are none: the case of
  /// the scheme and of the host (RFC 3986 §6.2.2.1); an empty path and `/` behind a host; the scheme's usual port, said or not
  /// (both RFC 3986 §6.2.3). Browsers and systems make them, and none of them leads to another receiver. Every other difference
  /// counts, a slash at the end of a longer path included: behind another path another program may listen.
  private static func address(of url: URL) -> [String] {
    let scheme = url.scheme?.lowercased() ?? ""
    let host = url.host(percentEncoded: false)?.lowercased() ?? ""
    let path = url.path(percentEncoded: true)
    let usualPort: Int? = ["http": 80, "https": 443][scheme]
    return [
      scheme, url.user() ?? "", url.password() ?? "", host,
      url.port.map { $0 == usualPort ? "" : String($0) } ?? "", path.isEmpty && !host.isEmpty ? "/" : path,
    ]
  }

  /// Longer ones than browsers send.
  private static let maximumLength = 64 * 1024
}

extension OAuthRefusal {
  /// What a refusal in a callback means (RFC 6749 §4.1.2.1).
  func callbackError(_ terminal: TerminalRefusals) -> OstiaryError {
    var error = error(terminal, for: .grant)
    // Nothing but a word on the user's or the client's part ends a sign-in in a way that trying again can't mend; an
    // unknown code is the server's last word all the same, for the browser has left its pages.
    if error.code == .unexpectedResponse { error.disposition = .terminal }
    return error
  }
}

/// A callback that was found to be the answer to a request (RFC 6749 §4.1.2).
public struct AuthorizationResponse: Sendable, Hashable {
  /// What tokens are given for, once.
  public let code: Secret
  /// What else the server said. The first of each name.
  public let parameters: OAuthParameters

  /// Makes a response, for servers that hand over codes in ways of their own.
  public init(code: Secret, parameters: OAuthParameters = [:]) {
    self.code = code
    self.parameters = parameters
  }
}
