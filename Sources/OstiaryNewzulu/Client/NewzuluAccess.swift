/// In whose name a call is made.
public enum NewzuluAccess: Sendable, Hashable, CaseIterable {
  /// In the user's: the call signs in when it needs to.
  case user
  /// In the app's: the call carries the API key and no session.
  case app
  /// In no user's name: neither key nor session. Media lists then have moderated items only.
  case anonymous
}
