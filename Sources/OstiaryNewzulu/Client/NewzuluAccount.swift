internal import Foundation
internal import OstiaryCore

/// The credentials that were set, and the session manager for them.
struct NewzuluAccount: Sendable {
  let email: String
  let password: Secret
  let authenticator: NewzuluAuthenticator
  let store: any SessionStore
  /// Owns the account's session. Authenticating puts another in its place.
  var manager: SessionManager
  /// Names the account: the platform, the tenant and the e-mail address. Sessions of one account are stored under it, so
  /// that another's are never even looked at.
  let name: String

  static func name(_ authenticator: NewzuluAuthenticator, _ email: String) -> String {
    [authenticator.services.absoluteString, authenticator.vhost, email].map(PercentEncoding.encode)
      .joined(separator: " ")
  }

  var key: SessionKey { Self.key(name) }

  static func key(_ name: String) -> SessionKey { SessionKey("newzulu \(name)") }
}

/// An authentication under way, which any number of callers wait for.
final class NewzuluAuthentication: Sendable {
  let generation: UInt64
  let manager: SessionManager
  /// The one outcome that all callers get: a manager that is asked again after its password was refused only says that
  /// no user is signed in.
  let work = SharedWork<Session>()

  init(generation: UInt64, manager: SessionManager) {
    self.generation = generation
    self.manager = manager
  }
}
