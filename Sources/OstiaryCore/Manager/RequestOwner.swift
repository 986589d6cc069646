/// Whose request it is. Users whom a server does not name have one id, so that the sign-outs count beside it: a request that
/// was made before a sign-out is never sent again with what a later sign-in gave.
struct RequestOwner: Sendable, Hashable {
  /// The user's id.
  let user: String
  /// How often a user had signed out of the manager when the request was made.
  let signOuts: UInt64
}
