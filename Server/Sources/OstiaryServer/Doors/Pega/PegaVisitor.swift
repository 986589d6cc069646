import OstiaryCore

/// Who a request is from, as far as its cookies say.
struct PegaVisitor: Sendable {
  /// The id of the session.
  let id: Secret
  /// The session itself: a guest's or a user's.
  let session: ServerSession
}

/// What came of a credential.
enum PegaSignIn: Sendable {
  /// Right, and this is the new session.
  case signedIn(PegaVisitor, User)
  /// Wrong.
  case refused
  /// The account is locked, and the door is told to tell.
  case locked
  /// Not looked at yet.
  case later(DoorResponse)
}
