import OstiaryCore

/// The caller, according to the call's arguments.
struct NewzuluCaller: Sendable {
  /// The session's user, and the tenant at which they signed in.
  struct Session: Sendable {
    let user: User
    let vhost: String
  }

  let key: NewzuluKey?
  let session: Session?
  /// The tenant that the call is about.
  let vhost: String?

  func requireUser() throws(NewzuluFailure) -> User {
    guard let session else { throw .sessionRequired }
    return session.user
  }

  func requireVhost() throws(NewzuluFailure) -> String {
    guard let vhost else { throw .invalidArgument("vhost") }
    return vhost
  }

  /// The call's tenant, if the session began there.
  func requireOwnVhost() throws(NewzuluFailure) -> String {
    let vhost = try requireVhost()
    guard session?.vhost.hasSameBytes(as: vhost) == true else { throw .permissionDenied }
    return vhost
  }

  func require(_ permission: NewzuluKey.Permission) throws(NewzuluFailure) {
    guard may(permission) else { throw .permissionDenied }
  }

  func may(_ permission: NewzuluKey.Permission) -> Bool {
    key?.permissions.contains(permission) == true
  }
}
