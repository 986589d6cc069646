import Foundation
import OstiaryCore

/// What an app asks for by sending a browser to `/services/oauth2/authorize`.
struct SalesforceAuthorization: Sendable {
  /// What the app gets in the end.
  enum Response: Sendable { case code, token }

  let known: SalesforceDoor.KnownApp
  let redirectURI: String
  let response: Response
  let scopes: [String]
  let state: String?
  let challenge: CodeChallenge?
  /// What the app wants people to be asked.
  let prompts: Set<String>
  /// Whether nobody is to be asked anything.
  let isSilent: Bool

  /// What it needs of the person at the browser.
  var needs: FrontRoomNeeds {
    FrontRoomNeeds(isFresh: prompts.contains("login"), hasConsent: true, mayAsk: !isSilent)
  }

  /// Where the browser is sent with some parameters: in the query, or in the fragment where tokens are among them.
  static func address(
    _ redirectURI: String, _ parameters: [(String, String)], isFragment: Bool
  ) -> String {
    let text = parameters.map { "\($0.0)=\(SalesforceOAuthFormat.encode($0.1))" }.joined(separator: "&")
    let sign = isFragment ? "#" : redirectURI.contains("?") ? "&" : "?"
    return redirectURI + sign + text
  }

  /// What the policy of a page calls the place that the browser is sent to.
  static func source(of redirectURI: String) -> [String] {
    guard let url = URL(string: redirectURI), let scheme = url.scheme?.lowercased() else { return [] }
    guard ["http", "https"].contains(scheme) else { return [scheme + ":"] }
    return Origin(url).map { [$0.description] } ?? []
  }
}

/// A request for authorization that failed, and can be sent back to the app.
struct SalesforceAuthorizationFailure: Error {
  let failure: SalesforceOAuthFailure
  let redirectURI: String
  let state: String?
  let isFragment: Bool

  /// Where the browser is sent.
  var address: String {
    var parameters = [("error", failure.error), ("error_description", failure.description)]
    if let state { parameters.append(("state", state)) }
    return SalesforceAuthorization.address(redirectURI, parameters, isFragment: isFragment)
  }
}
