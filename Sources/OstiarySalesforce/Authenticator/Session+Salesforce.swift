internal import OstiaryCore

extension Session {
  /// The session attribute with the name that the user signs in with, where the session did not begin with it.
  static let salesforceUsernameAttribute = "username"

  /// The name that the user signs in with.
  var salesforceUsername: String? {
    user.displayName ?? attributes[Self.salesforceUsernameAttribute]?.string
  }
}
