/// What is known of the session.
///
/// | State | Input | Next state |
/// |---|---|---|
/// | `unread` | store read | `signedIn`, `signedOut` or `unreadable` |
/// | `unreadable` | store read | as `unread` |
/// | `signedIn` | refused by the server, or renewal refused | `refused` |
/// | `signedIn` | newer proof from the server or the store | `signedIn` |
/// | `refused` | newer proof, or another proof of the entry | `signedIn` |
/// | `refused` | no way to newer proof | `signedOut` |
/// | any | signed out here or elsewhere | `signedOut` |
/// | `signedOut` | signed in, or a session in the store that was not ended here | `signedIn` |
/// | `signedOut` | newer proof of the session that a refusal ended | `signedIn` |
enum SessionState<Prepared: PreparedValue>: Sendable, Hashable {
  /// The store has not been read.
  case unread
  /// The store could not be read.
  case unreadable(OstiaryError)
  /// There is a session, perhaps past its date.
  case signedIn(KnownSession<Prepared>)
  /// The server refused the proof; newer proof is being asked for, or asking failed for a reason that may pass.
  case refused(KnownSession<Prepared>, OstiaryError?)
  /// There is no session. Newer proof that the server had given by then takes up the one that a refusal ended.
  case signedOut(Cause, refused: KnownSession<Prepared>? = nil)

  var known: KnownSession<Prepared>? {
    switch self {
    case .signedIn(let session), .refused(let session, _): session
    case .unread, .unreadable, .signedOut: nil
    }
  }

  /// The session, unless the server has refused it.
  var usable: KnownSession<Prepared>? {
    if case .signedIn(let session) = self { session } else { nil }
  }

  /// The session that newer proof belongs to.
  var changeable: KnownSession<Prepared>? {
    if case .signedOut(_, let refused) = self { refused } else { known }
  }

  var isUnread: Bool {
    switch self {
    case .unread, .unreadable: true
    case .signedIn, .refused, .signedOut: false
    }
  }
}
