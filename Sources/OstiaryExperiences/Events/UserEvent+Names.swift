extension UserEvent {
  /// The events that are about the user. Those of an experience have names of their own. The vendor of Primer published
  /// its constants, not their texts; these are Ostiary's.
  public enum Name {
    /// A launch of the app.
    public static let sessionStarted = "session_started"
    /// A user has signed up.
    public static let signUp = "sign_up"
    /// A user has logged in.
    public static let login = "login"
    /// A user has logged in with a provider.
    public static let providerLogin = "provider_login"
    /// A user has logged out.
    public static let logout = "logout"
  }
}
