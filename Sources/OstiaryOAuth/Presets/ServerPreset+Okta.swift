extension ServerPreset {
  /// Okta's organizations.
  static let okta = ServerPreset(
    "Okta", for: .hosts([".okta.com", ".oktapreview.com", ".okta-emea.com", ".okta-gov.com"]),
    [
      Difference(
        "A refresh token that was rotated is taken again for some seconds, as the app's grace period says: a lost answer can be asked for again.",
        "https://developer.okta.com/docs/guides/refresh-tokens/main/#grace-period-for-token-rotation")
    ])
}
