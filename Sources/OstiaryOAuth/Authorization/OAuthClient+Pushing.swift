internal import Foundation
public import OstiaryCore

extension OAuthClient {
  /// Hands an authorization request to the server before the browser goes there, where the server offers or demands that
  /// (RFC 9126): what is asked for can then neither be read nor changed on the way. Otherwise the request stays as it is.
  ///
  /// An answer that comes when its address has expired already is asked for again, twice at most.
  /// - Returns: the request whose ``AuthorizationRequest/url`` is to be shown.
  /// - Throws: ``/OstiaryCore/OstiaryError``: `clientRefused` when the server does not accept the request; `invalidInput` when it
  ///   demands pushed requests and no endpoint is known; `serverUnavailable`, `unexpectedResponse` and the network's own errors.
  public func pushed(
    _ request: AuthorizationRequest, in context: AuthenticationContext
  ) async throws -> AuthorizationRequest {
    let isDemanded = metadata?.requiresPushedAuthorization == true
    guard isDemanded || pushesAuthorizationRequests, let page = endpoints.authorization else { return request }
    guard let endpoint = endpoints.pushedAuthorization else {
      guard !isDemanded else {
        throw OstiaryError.invalidOAuthInput(
          "The server takes only pushed authorization requests (RFC 9126 §5), and no endpoint for them is known.",
          "Give one among the endpoints.")
      }
      return request
    }
    var form = request.form
    // The client's authentication names it.
    form.all.removeAll { $0.name == "client_id" }
    var call = OAuthCall(
      self, to: endpoint, for: .service, form, secrets: [request.state, request.pkce.verifier])
    call.namesClient = true
    call.provesKey = true
    for _ in 0..<Self.mostPushes {
      let begun = context.clock.moment
      let pushed = try PushedAuthorization(await call.send(in: context))
      guard pushed.lifetime.map({ context.clock.moment.seconds(since: begun) < $0 }) ?? true else { continue }
      let shown: OAuthParameters = ["client_id": id, "request_uri": pushed.address]
      return AuthorizationRequest(request, at: try AuthorizationRequest.page(page, shown))
    }
    throw OstiaryError(
      .serverUnavailable, "The server's address of the pushed request expires before it can be used (RFC 9126 §2.2).",
      requestMayHaveExecuted: true)
  }

  /// Whether an answer of the server has to name its issuer.
  var expectsIssuerInCallback: Bool { requiresIssuerInCallback || metadata?.promisesIssuerInCallback == true }

  private static let mostPushes = 3
}

/// What a server answers to a pushed request (RFC 9126 §2.2).
private struct PushedAuthorization {
  /// What the request goes by (`request_uri`).
  let address: String
  /// How long it does, in seconds; `nil` when the server, which has to, does not say.
  let lifetime: Double?

  init(_ answer: OAuthAnswer) throws {
    let members = try answer.requireMembers()
    guard let address = members["request_uri"]?.word, address.utf8.count <= Self.longest,
      address.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else {
      throw answer.unexpected("The server's answer to the pushed request names no address for it (RFC 9126 §2.2).")
    }
    self.address = address
    lifetime = members["expires_in"]?.looseNumber
  }

  /// Longer ones than browsers and servers take in an address.
  private static let longest = 4096
}
