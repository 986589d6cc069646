public import Foundation
public import OstiaryCore

/// A user of an org who has signed in.
public final class SalesforceAccount: Sendable {
  private struct State {
    var loginState: SalesforceLoginState
    var connection: SalesforceConnection
    /// Those of earlier sign-ins with which a registration of the device was under way when a newer one came.
    var earlier: [SalesforceConnection] = []
    /// The community of a user who is being signed out: the tokens that say it are gone by then.
    var communityID: String?
  }

  /// Who it is.
  public let identity: SalesforceUserIdentity
  private let state: Locked<State>

  init(_ identity: SalesforceUserIdentity, _ connection: SalesforceConnection, isLoggedIn: Bool) {
    self.identity = identity
    state = Locked(State(loginState: isLoggedIn ? .loggedIn : .notLoggedIn, connection: connection))
  }

  /// Whether a user is signed in to it.
  public var loginState: SalesforceLoginState { state.withLock { $0.loginState } }

  /// Its session.
  public var connection: SalesforceConnection { state.withLock { $0.connection } }

  /// Its tokens as they are now; `nil` when no user is signed in to it.
  public var tokens: SalesforceTokens? { loginState == .loggedIn ? connection.tokens : nil }

  /// Its tokens as they are now, also while the user is being signed out: they go when the app has been told of it.
  package var presentTokens: SalesforceTokens? { loginState == .notLoggedIn ? nil : connection.tokens }

  /// What the server has said of the user, once it has been asked; `nil` when no user is signed in to it.
  public var identityDocument: SalesforceIdentityDocument? {
    loginState == .notLoggedIn ? nil : connection.identityDocument
  }

  /// What the tokens are for, where the server has said it.
  public var scopes: Set<String>? { loginState == .notLoggedIn ? nil : connection.manager.current?.salesforceScopes }

  /// When the server gave the tokens, where it has said it.
  public var issuedAt: Date? { loginState == .notLoggedIn ? nil : connection.manager.current?.salesforceIssuedAt }

  /// The name that the user signs in with, where the server has said it.
  public var username: String? { connection.username }

  /// Whether it can be used without a new sign-in.
  public var isSessionValid: Bool { tokens != nil }

  /// Sends a call in the user's name.
  /// - Throws: ``/OstiaryCore/OstiaryError``.
  public func send(_ call: SalesforceCall) async throws -> TransportResponse { try await connection.send(call) }

  /// Changes the login state, if that is legal. Returns whether it is.
  func become(_ next: SalesforceLoginState) -> Bool {
    state.withLock { state in
      guard state.loginState.canBecome(next) else { return false }
      if next == .loggingOut { state.communityID = state.connection.tokens?.communityID }
      state.loginState = next
      return true
    }
  }

  /// Takes over a newer sign-in of the same user.
  func replace(_ connection: SalesforceConnection) {
    state.withLock { state in
      state.connection.push.hand(over: connection.push)
      if state.connection.push.isRegistering { state.earlier.append(state.connection) }
      state.connection = connection
    }
  }

  /// The connections with which the device is registered, or may be before long.
  var registering: [SalesforceConnection] { state.withLock { $0.earlier + [$0.connection] } }

  /// The community that the user is a member of. It stays known when the user is signed out, so that an app finds what it has
  /// kept for them.
  package var lastCommunityID: String? {
    state.withLock { $0.loginState == .loggedIn ? $0.connection.tokens?.communityID : $0.communityID }
  }

  /// A key under which an app keeps something of this account's.
  public func key(for scope: SalesforceScope) -> String {
    switch scope {
    case .global: "global"
    case .org: identity.orgID.id18
    case .user: "\(identity.orgID.id18)-\(identity.userID.id18)"
    case .community:
      // The Mobile SDK's own words for "none", so that what it has stored is found.
      "\(identity.orgID.id18)-\(identity.userID.id18)-\(lastCommunityID ?? "(null)")"
    }
  }
}

extension SalesforceAccount: CustomStringConvertible, CustomReflectable {
  /// Who it is.
  public var description: String { "SalesforceAccount(\(identity))" }
  public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .class) }
}

/// Whose something is that an app keeps.
public enum SalesforceScope: Sendable, Hashable, CaseIterable {
  /// All users'.
  case global
  /// All users' of an org.
  case org
  /// One user's.
  case user
  /// One user's as a member of one community.
  case community
}

/// Whether a user is signed in to an account, and how that may change.
public enum SalesforceLoginState: Int, Sendable, Hashable {
  /// No user is signed in.
  case notLoggedIn = 0
  /// A user is signed in.
  case loggedIn = 1
  /// The user is being signed out.
  case loggingOut = 2

  /// Whether one state may follow another: `loggedIn` after `notLoggedIn` and itself, `notLoggedIn` after itself and
  /// `loggingOut`, `loggingOut` only after `loggedIn`, so that no user is signed out twice.
  public func canBecome(_ next: SalesforceLoginState) -> Bool {
    switch (self, next) {
    case (.notLoggedIn, .loggedIn), (.loggedIn, .loggedIn), (.notLoggedIn, .notLoggedIn), (.loggingOut, .notLoggedIn),
      (.loggedIn, .loggingOut):
      true
    default: false
    }
  }
}
