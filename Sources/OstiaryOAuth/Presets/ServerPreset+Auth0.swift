extension ServerPreset {
  /// Auth0's tenants on its own hosts. A tenant on a host of its owner works by its metadata.
  static let auth0 = ServerPreset(
    "Auth0", for: .hosts([".auth0.com"]),
    [
      Difference(
        "The issuer ends with a slash, which belongs to it.",
        "https://auth0.com/docs/get-started/applications/configure-applications-with-oidc-discovery"),
      Difference(
        "Without audience, a parameter of the page, the access token is for userinfo alone.",
        "https://auth0.com/docs/secure/tokens/access-tokens/get-access-tokens"),
    ])
}
