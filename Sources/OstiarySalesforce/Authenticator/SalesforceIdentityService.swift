internal import Foundation
internal import HTTPTypes
public import OstiaryCore
internal import OstiaryOAuth

/// Asks a Salesforce server who a token's user is, at the identity URL or, without one, at the userinfo service.
public enum SalesforceIdentityService {
  /// What the server says of the tokens' user.
  /// - Throws: ``/OstiaryCore/OstiaryError``: `salesforceSessionInvalid`, `salesforceRequestRefused` and
  ///   `salesforceResourceNotFound` as its word, of which the first alone is
  ///   about the token; others when it has not given any, or has named another user.
  public static func document(
    for tokens: SalesforceTokens, in context: AuthenticationContext
  ) async throws -> SalesforceIdentityDocument {
    let document = try await document(
      accessToken: tokens.accessToken,
      at: tokens.identityURL ?? tokens.apiURL.appending(path: "services/oauth2/userinfo"), in: context)
    if let identity = tokens.identity, identity != document.identity {
      throw OstiaryError(.unexpectedResponse, "The server answered the question for one user with another.")
    }
    return document
  }

  static func document(
    accessToken: Secret, at url: URL, in context: AuthenticationContext
  ) async throws -> SalesforceIdentityDocument {
    var request = try TransportRequest.get(url)
    request.head.headerFields[.accept] = "application/json"
    request.head.headerFields[.authorization] = "Bearer " + accessToken.reveal()
    request.responseBodyLimit = 1 << 20
    let response = try await context.transport.send(request)
    guard response.status == .ok else { throw error(response, request, context.clock.now) }
    guard let members = JSONValue(json: response.body)?.object, let document = SalesforceIdentityDocument(members)
    else {
      throw OstiaryError(.unexpectedResponse, "The server did not say whose tokens they are.", request: request.head)
    }
    return document
  }

  private static func error(_ response: TransportResponse, _ request: TransportRequest, _ now: Date) -> OstiaryError {
    if let error = OstiaryError(unavailable: response.head, to: request.head, now: now) { return error }
    let failure = SalesforceFailure(response)
    let codes = failure?.codes.sorted().joined(separator: ", ") ?? "\(response.status.code)"
    if case .rejected = TokenJudge.salesforce.judge(response, request) {
      return .salesforceSessionInvalid("the server answered \(codes).")
    }
    switch response.status.code {
    case 403:
      return OstiaryError(
        .salesforceRequestRefused, "The server does not tell this app who the user is (\(codes)).",
        advice: "Check the connected app's scopes and the user's permissions.", disposition: .terminal,
        request: request.head)
    case 404:
      return OstiaryError(
        .salesforceResourceNotFound, "The server knows no user at the identity URL (\(codes)).",
        advice: "Check the settings' addresses.", disposition: .terminal, request: request.head)
    default:
      return OstiaryError(
        .unexpectedResponse, "The server's answer (\(codes)) says nothing of the user.", request: request.head)
    }
  }
}
