internal import Foundation
internal import HTTPTypes
internal import OstiaryCore
public import OstiaryOAuth

extension TokenJudge {
  /// What Salesforce refuses a session with: a 401 whose body names `INVALID_SESSION_ID` (or names nothing, as some of its
  /// servers do), and a 403 of the identity and OAuth services that says `Bad_OAuth_Token`. A 403 for a limit that is
  /// reached or a permission that is missing is the application's business. Salesforce refuses before it acts.
  public static let salesforce = TokenJudge { response, request in
    mayRefuse(response.head, request) ? SalesforceFailure.maximumSize : 0
  } judge: { response, request in
    guard mayRefuse(response.head, request) else { return .accepted }
    let codes = SalesforceFailure(response)?.codes ?? []
    if response.status == .forbidden {
      guard codes.contains(SalesforceFailure.badOAuthToken) else { return .accepted }
      return .rejected(reason: "The server says that the access token is not good.", mayHaveExecuted: false)
    }
    if codes.contains(SalesforceFailure.invalidSessionID) || codes.contains(SalesforceFailure.badOAuthToken) {
      return .rejected(reason: "The server says that the session is expired or invalid.", mayHaveExecuted: false)
    }
    // Another code is another matter.
    guard codes.isEmpty else { return .accepted }
    return TokenJudge.bearer.judge(response, request)
  }

  private static func mayRefuse(_ response: HTTPResponse, _ request: TransportRequest) -> Bool {
    switch response.status {
    case .unauthorized: true
    case .forbidden:
      // Below a community's path, too.
      request.head.path.map { $0.contains("/services/oauth2/") || $0.contains("/id/") } ?? false
    default: false
    }
  }
}
