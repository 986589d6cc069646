import Foundation
import OstiaryCore

/// An app's request for authorization: it sends a browser to `/services/oauth2/authorize`.
struct SalesforceAuthorization: Sendable {
  /// The result that the app gets in the end.
  enum Response: Sendable { case code, token }

  let known: SalesforceDoor.KnownApp
  let redirectURI: String
  let response: Response
  let scopes: [String]
  let state: String?
  let challenge: CodeChallenge?
  /// The prompts that the app asks for.
  let prompts: Set<String>
  /// Whether no page may be shown.
  let isSilent: Bool

  /// The steps that it needs of the person at the browser.
  var needs: FrontRoomNeeds {
    FrontRoomNeeds(isFresh: prompts.contains("login"), hasConsent: true, mayAsk: !isSilent)
  }

  /// The address to which the browser is sent with some parameters: in the query, or in the fragment if tokens are among them.
  static func address(
    _ redirectURI: String, _ parameters: [(String, String)], isFragment: Bool
  ) -> String {
    let text = parameters.map { "\($0.0)=\(SalesforceOAuthFormat.encode($0.1))" }.joined(separator: "&")
    let sign = isFragment ? "#" : redirectURI.contains("?") ? "&" : "?"
    return redirectURI + sign + text
  }

  /// The source expression of a page's policy for the address that the browser is sent to.
  static func source(of redirectURI: String) -> [String] {
    guard let url = URL(string: redirectURI), let scheme = url.scheme?.lowercased() else { return [] }
    guard ["http", "https"].contains(scheme) else { return [scheme + ":"] }
    return Origin(url).map { [$0.description] } ?? []
  }
}

/// A failed request for authorization that can be reported to the app.
struct SalesforceAuthorizationFailure: Error {
  let failure: SalesforceOAuthFailure
  let redirectURI: String
  let state: String?
  let isFragment: Bool

  /// The address to which the browser is sent.
  var address: String {
    var parameters = [("error", failure.error), ("error_description", failure.description)]
    if let state { parameters.append(("state", state)) }
    return SalesforceAuthorization.address(redirectURI, parameters, isFragment: isFragment)
  }
}
