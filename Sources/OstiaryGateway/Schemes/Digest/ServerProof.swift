/// Whether a server has shown that it knows the password, too.
enum ServerProof: Sendable {
  /// It has.
  case right
  /// It has not tried.
  case missing
  /// It has shown something else.
  case wrong
  /// It covers what is not there to compare: a body that is still arriving, a nonce that has been forgotten.
  case unverifiable
}
