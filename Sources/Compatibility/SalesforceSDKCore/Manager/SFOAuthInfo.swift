public import Foundation

/// How a user logged in.
///
/// A drop-in for the class of this name in Salesforce's Mobile SDK.
public final class SFOAuthInfo: NSObject, Sendable {
  /// The ways.
  public enum AuthType: UInt, Sendable, CaseIterable {
    /// Another one.
    case unknown = 0
    /// In a web view, with the tokens in the redirect. Never used here.
    case userAgent
    /// With a refresh token.
    case refresh
    /// In the system's browser.
    case advancedBrowser
    /// With an assertion.
    case jwtTokenExchange
  }

  /// The way.
  public let authType: AuthType

  init(_ authType: AuthType) {
    self.authType = authType
    super.init()
  }
}
