internal import Foundation
internal import OstiaryCore

/// The credentials that were set, and the session manager for them. Calls and uploads hold the account of the moment at
/// which they were begun.
final class NewzuluAccount: Sendable {
  let email: String
  /// The password; `nil` where the session manager came with the account, and asks for it itself.
  let password: Secret?
  let authenticator: NewzuluAuthenticator
  let store: any SessionStore
  /// Names the account: the platform, the tenant and the e-mail address. Sessions of one account are stored under it, so
  /// that another's are never even looked at.
  let name: String
  /// The uploads that are under way for this account.
  let uploads = RunningUploads()
  private struct State: Sendable {
    var manager: SessionManager
    /// Those whose place it has taken. Calls that were made before use them, and a sign-in that no call waits for any more.
    var earlier: [SessionManager] = []
    var isSignedOut = false
  }

  private let state: Locked<State>

  init(
    email: String, password: Secret?, authenticator: NewzuluAuthenticator, store: any SessionStore,
    manager: SessionManager, name: String
  ) {
    self.email = email
    self.password = password
    self.authenticator = authenticator
    self.store = store
    self.name = name
    state = Locked(State(manager: manager))
  }

  /// Owns the account's session. Authenticating puts another in its place.
  var manager: SessionManager {
    get { state.withLock { $0.manager } }
    set {
      state.withLock { state in
        state.earlier = (state.earlier + [state.manager]).suffix(Self.mostEarlier)
        state.manager = newValue
      }
    }
  }

  /// Notes an authentication that is superseded: what it has stored by now stays, until a sign-out.
  func supersede(_ manager: SessionManager) {
    manager.beginSignOut()
    state.withLock { $0.earlier = ($0.earlier + [manager]).suffix(Self.mostEarlier) }
  }

  /// The managers whose place another has taken.
  var earlierManagers: [SessionManager] { state.withLock { $0.earlier } }

  /// How many of those that were replaced are remembered for a sign-out. Of so many none works any more.
  static let mostEarlier = 64

  /// Whether the app has signed the user out.
  var isSignedOut: Bool { state.withLock { $0.isSignedOut } }

  /// Notes that the app signs the user out: of the sessions that there are now. The same user may be set again before it is done.
  func signOut() {
    let managers = state.withLock { state in
      state.isSignedOut = true
      return state.earlier + [state.manager]
    }
    for manager in managers { manager.beginSignOut() }
  }

  static func name(_ authenticator: NewzuluAuthenticator, _ email: String) -> String {
    [authenticator.services.absoluteString, authenticator.vhost, email].map(PercentEncoding.encode)
      .joined(separator: " ")
  }

  var key: SessionKey { Self.key(name) }

  static func key(_ name: String) -> SessionKey { SessionKey("newzulu \(name)") }

  /// Names the account's uploads for a project. Without a tenant of the user's own it is the account's name, as in the
  /// version before.
  func uploadName(forProject vhost: String) -> String {
    vhost == authenticator.vhost ? name : "\(name) \(PercentEncoding.encode(vhost))"
  }

  /// The project for whose uploads this is the name; `nil` where they are no uploads of this account.
  func project(ofUploads uploadName: String) -> String? {
    if uploadName == name { return authenticator.vhost }
    guard uploadName.hasPrefix(name + " ") else { return nil }
    return PercentEncoding.decode(String(uploadName.dropFirst(name.count + 1)))
  }
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
