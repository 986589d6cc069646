public import Foundation

/// How a user logs in.
///
/// A drop-in for the enumeration of this name in Salesforce's Mobile SDK.
public enum SFOAuthType: UInt, Sendable, CaseIterable {
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

/// Whether users log in in the system's browser.
///
/// A drop-in for the enumeration of this name in Salesforce's Mobile SDK.
public enum SFOAuthAdvancedAuthConfiguration: UInt, Sendable, CaseIterable {
  /// In a web view. Here the system's browser is used all the same.
  case none = 0
  /// Where the org wants it.
  case allow
  /// Always.
  case require
}

/// How a user logged in.
///
/// A drop-in for the class of this name in Salesforce's Mobile SDK.
public final class SFOAuthInfo: NSObject, Sendable {
  /// The ways.
  public typealias AuthType = SFOAuthType

  /// The way.
  public let authType: SFOAuthType

  /// Makes an information.
  public init(authType: SFOAuthType) {
    self.authType = authType
    super.init()
  }

  /// The way's name, as it is in the vendor's header.
  public var authTypeDescription: String {
    switch authType {
    case .unknown: "SFOAuthTypeUnknown"
    case .userAgent: "SFOAuthTypeUserAgent"
    case .refresh: "SFOAuthTypeRefresh"
    case .advancedBrowser: "SFOAuthTypeAdvancedBrowser"
    case .jwtTokenExchange: "SFOAuthTypeJwtTokenExchange"
    }
  }

  /// The way.
  public override var description: String { "SFOAuthInfo(\(authTypeDescription))" }
}
