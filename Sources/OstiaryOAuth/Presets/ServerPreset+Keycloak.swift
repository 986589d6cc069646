extension ServerPreset {
  /// Keycloak, wherever it runs.
  static let keycloak = ServerPreset(
    "Keycloak", for: .path("/realms/"),
    [
      Difference(
        "With the scope offline_access the refresh token outlives the user's session; without it, it ends with that.",
        "https://www.keycloak.org/docs/latest/server_admin/#_offline-access"),
      Difference(
        "invalid_grant with \"Session not active\" says that the user's session at the server is over: only a sign-in helps.",
        "https://www.keycloak.org/docs/latest/server_admin/#_timeouts"),
    ])
}
