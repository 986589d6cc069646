public import Foundation
internal import Ostiary
#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// Signs in to and out of the gateway, and tells what responses mean for authorization.
///
/// A drop-in for IBM's class of this name, for apps whose sessions are a gateway's. There is no token service: an access token is
/// always `nil`, and security checks of MobileFirst's own fail with an error that says so (see ``SecurityCheckChallengeHandler``).
public final class WLAuthorizationManager: NSObject, Sendable {
  struct State: Sendable {
    var isLoggingIn = false
    var timeout: Double = 10
    var authorizationServer: URL?
  }

  let client: WLClient
  let state = Locked(State())
  private static let shared = WLAuthorizationManager(client: .shared)

  package init(client: WLClient) {
    self.client = client
    super.init()
  }

  /// The process's authorization manager.
  public class func sharedInstance() -> WLAuthorizationManager! { shared }

  /// Whether a response is the challenge of a gateway, as far as the registered handlers say.
  public func isGatewayResponse(_ wlResponse: WLResponse!) -> Bool {
    wlResponse.map { client.isGatewayResponse($0) } ?? false
  }

  /// ``isGatewayResponse(_:)`` as Swift called it where the vendor's header did not name it.
  public func isGateway(_ wlResponse: WLResponse!) -> Bool { isGatewayResponse(wlResponse) }

  /// Whether a protected resource demands an access token: a 401 or 403 with `WWW-Authenticate: Bearer`, or a 409 with
  /// `MFP-Conflict`.
  public func isAuthorizationRequired(for response: URLResponse!) -> Bool {
    guard let response = response as? HTTPURLResponse else { return false }
    return isAuthorizationRequiredForResponse(withStatus: response.statusCode, headers: response.allHeaderFields)
  }

  /// Whether a protected resource demands an access token, from the status and the fields of its response.
  public func isAuthorizationRequiredForResponse(withStatus status: Int, headers: [AnyHashable: Any]!) -> Bool {
    switch status {
    case 401, 403: Self.field("WWW-Authenticate", in: headers)?.lowercased().contains("bearer") ?? false
    case 409: Self.field("MFP-Conflict", in: headers) != nil
    default: false
    }
  }

  /// The scope that a protected resource demands; `nil` when its response names none.
  public func resourceScope(from response: URLResponse!) -> String! {
    resourceScope(fromResponseHeaders: (response as? HTTPURLResponse)?.allHeaderFields)
  }

  /// The scope that a protected resource demands, from the fields of its response; `nil` when they name none.
  public func resourceScope(fromResponseHeaders headers: [AnyHashable: Any]!) -> String! {
    guard let field = Self.field("WWW-Authenticate", in: headers),
      let start = field.range(of: "scope=", options: .caseInsensitive)?.upperBound
    else { return nil }
    let rest = field[start...]
    // A scope has blanks in it, so a quoted one ends at its quote and a bare one at the comma.
    let scope = rest.first == "\"" ? rest.dropFirst().prefix { $0 != "\"" } : rest.prefix { $0 != "," }
    return scope.trimmingCharacters(in: .whitespaces)
  }

  private static func field(_ name: String, in headers: [AnyHashable: Any]?) -> String? {
    headers?.first { ($0.key as? String)?.lowercased() == name.lowercased() }?.value as? String
  }
}
