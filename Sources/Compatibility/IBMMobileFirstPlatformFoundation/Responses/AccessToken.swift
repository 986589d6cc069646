// The vendor's headers say nothing about nil, and Swift has imported them so.
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

public import Foundation
internal import Ostiary

/// A token of MobileFirst's token service.
///
/// A drop-in for the class of this name in IBM's MobileFirst SDK 8.0. This module gets no tokens: completion handlers that have a
/// place for one get `nil` (see ``WLAuthorizationManager/obtainAccessToken(forScope:withCompletionHandler:)``). The class is there
/// for code that names it, and for apps that have a token from elsewhere.
public final class AccessToken: NSObject, CustomReflectable, Sendable {
  private let token: Secret
  private let tokenScope: String

  /// Makes a token.
  /// - Parameters:
  ///   - token: its text.
  ///   - expiration: when it expires. It is not kept.
  ///   - scope: what it is good for.
  public init!(token: String!, withExpiration expiration: Double, forScope scope: String!) {
    self.token = Secret(token ?? "")
    tokenScope = scope ?? ""
    super.init()
  }

  /// The token's text. It is a secret.
  public var value: String! { token.reveal() }
  /// What it is good for.
  public var scope: String! { tokenScope }
  /// The value of a request's `Authorization` field. It is a secret.
  public var asAuthorizationRequestHeaderField: String! { "Bearer \(token.reveal())" }
  /// The token as a field of a form. It is a secret.
  public var asFormEncodedBodyParameter: String! {
    FormEncoding.serialize([(name: "access_token", value: token.reveal())])
  }

  /// The scope; the token is not shown.
  public override var description: String { "AccessToken(\(tokenScope))" }
  public override var debugDescription: String { description }
  /// The scope; the token is not shown.
  public var customMirror: Mirror { Mirror(self, children: ["scope": tokenScope], displayStyle: .class) }
}
