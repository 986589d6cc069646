// The vendor's headers say nothing about nil, and Swift has imported them so.
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

internal import Ostiary
#if canImport(FoundationNetworking)
  internal import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

// The names of version 7.1.
extension WLAuthorizationManager {
  /// Looks whether the gateway's session stands, as ``obtainAccessToken(forScope:withCompletionHandler:)`` does. The response has
  /// no authorization header of the vendor's.
  @preconcurrency
  public func obtainAuthorizationHeader(
    forScope scope: String!, completionHandler: (@Sendable (WLResponse?, (any Error)?) -> Void)!
  ) {
    client.checkSession(timeout: .seconds(timeOut.doubleValue)) { outcome in
      QueueDelivery.post(on: .main) {
        let (response, error) = outcome.forCompletion
        completionHandler?(response, error)
      }
    }
  }

  /// The authorization header of the vendor's token service: always `nil`.
  public var cachedAuthorizationHeader: String! { nil }

  /// Who is signed in at the vendor's service: always `nil`.
  public var userIdentity: [AnyHashable: Any]! { nil }

  /// The device as the vendor's service knows it: always `nil`.
  public var deviceIdentity: [AnyHashable: Any]! { nil }

  /// The app as the vendor's service knows it: always `nil`.
  public var appIdentity: [AnyHashable: Any]! { nil }

  /// Does nothing: there is no authorization header to add.
  public func addCachedAuthorizationHeader(to request: NSMutableURLRequest!) {}

  /// Does nothing: there are no tokens to keep.
  public func setAuthorizationPersistencePolicy(_ policy: WLAuthorizationPerisistencePolicy) {}

  /// Whether a protected resource demands an access token, from the status and the `WWW-Authenticate` field of its response.
  public func isAuthorizationRequiredForResponse(
    withStatus status: Int, authorizationHeader: String!
  ) -> Bool {
    isAuthorizationRequiredForResponse(withStatus: status, headers: ["WWW-Authenticate": authorizationHeader ?? ""])
  }

  /// The scope that a protected resource demands; `nil` when its response names none.
  public func authorizationScope(for response: URLResponse!) -> String! { resourceScope(from: response) }

  /// The scope that a `WWW-Authenticate` field demands; `nil` when it names none.
  public func authorizationScopeForResponse(withAuthorizationHeader authorizationHeader: String!) -> String! {
    resourceScope(fromResponseHeaders: ["WWW-Authenticate": authorizationHeader ?? ""])
  }
}

/// Where version 7.1 kept authorization headers (the vendor spells it so). Without effect.
public enum WLAuthorizationPerisistencePolicy: Int, Sendable {
  /// Always on the device.
  case always = 0
  /// Never.
  case never = 1
}
