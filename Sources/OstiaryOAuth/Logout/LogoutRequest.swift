public import Foundation
public import OstiaryCore

/// A page on which a server ends its own sign-in of a user, for one time (OpenID Connect RP-Initiated Logout 1.0 §2).
///
/// ``url`` is what the user's browser shows; ``check(_:)`` tells whether an address that the browser was sent to is the answer. The
/// server may ask the user first, and may send the browser nowhere.
public struct LogoutRequest: Sendable, Hashable {
  /// The address for the user's browser. It has the ID token.
  public let url: URL
  /// Where the server sends the browser afterwards; `nil`: nowhere.
  public let returnURI: URL?
  /// Ties the answer to this request; `nil` without ``returnURI``.
  public let state: Secret?
  /// What a user agent shows and waits for.
  let page: AuthorizationRequest?

  /// Makes a request.
  /// - Parameters:
  ///   - client: who asks. Its ``OAuthEndpoints/endSession`` must be there.
  ///   - idToken: says whose sign-in it is about, also when it has expired (`id_token_hint`).
  ///   - returnURI: exactly as it was registered, but for the port of a loopback address.
  ///   - parameters: extras: `logout_hint`, `ui_locales`, and what a server has of its own.
  ///   - state: for tests and for requests that another process goes on with; by default a random one.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `invalidInput`.
  public init(
    _ client: OAuthClient, idToken: Secret?, returnURI: URL?, parameters: OAuthParameters = [:], state: Secret? = nil
  ) throws {
    guard let endpoint = client.endpoints.endSession else {
      throw OstiaryError.invalidOAuthInput(
        "The client knows no page on which the server ends a sign-in.", "Give one among the endpoints.")
    }
    var form = OAuthParameters()
    form.add("id_token_hint", idToken?.reveal())
    form.add("client_id", client.id)
    var page: AuthorizationRequest?
    if let returnURI, let vendor = client.preset?.logoutReturn, !vendor.hasState {
      // There is nothing in the answer that could be waited for.
      form = OAuthParameters()
      form.add("client_id", client.id)
      form.add(vendor.name, returnURI.absoluteString)
    } else if let returnURI {
      var asking = client
      asking.endpoints.authorization = endpoint
      let waiting = try AuthorizationRequest(asking, redirectURI: returnURI, state: state)
      form.add("post_logout_redirect_uri", returnURI.absoluteString)
      form.add("state", waiting.state.reveal())
      page = waiting
    }
    try form.add(extras: parameters)
    let url = try AuthorizationRequest.page(endpoint, form)
    self.url = url
    self.returnURI = returnURI
    self.state = page?.state
    // Both ways have to be taken by servers (RP-Initiated Logout 1.0 §2). A form comes without the cookies that are for visits alone, so an
    // address goes as long as servers read it: 8 KiB as a rule, fields included.
    let isLong = url.absoluteString.utf8.count > Self.longestAddress
    let posted = isLong ? PostedPage(action: endpoint, parameters: form) : nil
    self.page = page.map { AuthorizationRequest($0, at: url, posting: posted) }
  }

  private static let longestAddress = 6 * 1024

  /// Whether an address says that the server has done its part: it goes to the return URI and carries the request's state.
  /// - Throws: ``/OstiaryCore/OstiaryError``: `callbackRefused` for an address that is not to be believed, and what a refusal of the
  ///   server's means.
  public func check(_ callback: URL) throws {
    guard let page else {
      throw OstiaryError.callbackRefused("The request names no address to go back to.")
    }
    try page.checkReturn(callback)
  }
}

extension LogoutRequest: Redacted {
  /// The server's host; the query has the ID token.
  public var description: String { "LogoutRequest(at \(url.host() ?? "?"))" }
}
