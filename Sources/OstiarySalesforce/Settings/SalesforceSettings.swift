public import Foundation
internal import OstiaryCore

/// What a service is used with: a user's tokens, an account of ``SalesforceAccounts``, or nothing, as a guest.
public struct SalesforceSettings: Sendable {
  enum Source: Sendable {
    case guest(communityURL: URL?)
    case tokens(SalesforceTokens)
    case connection(SalesforceConnection)
    case account(SalesforceAccount)
  }

  let source: Source
  /// What the app knows the settings as: an object of a drop-in module, which the app gets back.
  package private(set) var face: (any AnyObject & Sendable)?

  init(_ source: Source) { self.source = source }

  /// The same, known to the app as an object of a drop-in module.
  package func known(as face: any AnyObject & Sendable) -> SalesforceSettings {
    var settings = self
    settings.face = face
    return settings
  }

  /// A guest: no particular user.
  /// - Parameter communityURL: the site that guests may visit; without one there is nothing that a guest can ask.
  public static func guest(communityURL: URL? = nil) -> SalesforceSettings {
    SalesforceSettings(.guest(communityURL: communityURL))
  }

  /// The user whose tokens these are.
  public init(_ tokens: SalesforceTokens) { self.init(.tokens(tokens)) }

  /// The user whose token answer this is, by the names in ``SalesforceTokens/Name``.
  /// - Returns: `nil` without an access token and an instance URL that can be used, or without a client identifier.
  public init?(oauth2 members: [String: String], clientID: String) {
    guard let tokens = SalesforceTokens(members, clientID: clientID) else { return nil }
    self.init(tokens)
  }

  /// A user's session that other parts of the app use as well, such as one that registers for push notifications before a
  /// service is used.
  /// - Returns: `nil` when the session is over.
  public init?(_ connection: SalesforceConnection) {
    guard connection.tokens != nil else { return nil }
    self.init(.connection(connection))
  }

  /// An account that is signed in. Its tokens stay where they are: the service uses the account's own session, so that a
  /// refresh token that is good once is not used twice.
  /// - Returns: `nil` when no user is signed in to it.
  public init?(_ account: SalesforceAccount) {
    guard account.tokens != nil else { return nil }
    self.init(.account(account))
  }

  /// Whether they are a guest's.
  public var isGuest: Bool { if case .guest = source { true } else { false } }

  /// The tokens as they are now; `nil` for guests, and for an account that is signed out.
  public var tokens: SalesforceTokens? {
    switch source {
    case .guest: nil
    case .tokens(let tokens): tokens
    case .connection(let connection): connection.tokens
    case .account(let account): account.tokens
    }
  }

  /// The site that a guest or a community's member visits.
  public var communityURL: URL? {
    if case .guest(let url) = source { url } else { tokens?.communityURL }
  }

  /// The session that the settings bring along; `nil` for guests and for tokens alone.
  public var connection: SalesforceConnection? {
    switch source {
    case .guest, .tokens: nil
    case .connection(let connection): connection
    case .account(let account): account.connection
    }
  }

  /// The account, where the settings are one's.
  public var account: SalesforceAccount? { if case .account(let account) = source { account } else { nil } }
}

extension SalesforceSettings: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Whose settings they are; never the tokens.
  public var description: String {
    switch source {
    case .guest: "SalesforceSettings(guest)"
    case .tokens(let tokens): "SalesforceSettings(\(tokens))"
    case .connection(let connection): "SalesforceSettings(\(connection))"
    case .account(let account): "SalesforceSettings(\(account))"
    }
  }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .struct) }
}
