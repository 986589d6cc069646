extension ServerPreset {
  /// User pools of Amazon Cognito.
  static let cognito = {
    var preset = ServerPreset(
      "Amazon Cognito", for: .hostsBetween("cognito-idp.", ".amazonaws.com"),
      [
        Difference(
          "The issuer is on another host than the pages and endpoints, which are on the pool's domain.",
          "https://docs.aws.amazon.com/cognito/latest/developerguide/federation-endpoints.html"),
        Difference(
          "Access tokens have no aud: they name their client in client_id.",
          "https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-using-the-access-token.html"
        ),
        Difference(
          "offline_access is no scope: a refresh token always comes with a code.",
          "https://docs.aws.amazon.com/cognito/latest/developerguide/token-endpoint.html"),
        Difference(
          "The page that ends a sign-in takes client_id and logout_uri, and gives no state back.",
          "https://docs.aws.amazon.com/cognito/latest/developerguide/logout-endpoint.html"),
      ])
    preset.offlineParameters = [:]
    preset.logoutReturn = ("logout_uri", false)
    return preset
  }()
}
