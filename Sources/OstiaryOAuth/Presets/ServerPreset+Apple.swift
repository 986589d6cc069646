extension ServerPreset {
  /// Sign in with Apple.
  static let apple = {
    var preset = ServerPreset(
      "Apple", for: .exactly("https://appleid.apple.com"),
      [
        Difference(
          "The scopes name and email need response_mode=form_post: the answer is a form that is sent to the redirect URI.",
          "https://developer.apple.com/documentation/signinwithapplerestapi/request-an-authorization-to-the-sign-in-with-apple-server."
        ),
        Difference(
          "The name comes once, at the first sign-in, beside the code (user), and in no token.",
          "https://developer.apple.com/documentation/signinwithapplerestapi/request-an-authorization-to-the-sign-in-with-apple-server."
        ),
        Difference(
          "The client's secret is a JWT that the team signs with ES256, good for six months at most.",
          "https://developer.apple.com/documentation/accountorganizationaldatasharing/creating-a-client-secret"),
        Difference(
          "Claims that are true or false may be texts.",
          "https://developer.apple.com/documentation/signinwithapple/authenticating-users-with-sign-in-with-apple"
        ),
        Difference(
          "There is no userinfo endpoint, and offline_access is no scope: a refresh token always comes.",
          "https://developer.apple.com/documentation/signinwithapplerestapi/generate-and-validate-tokens"),
      ])
    preset.offlineParameters = [:]
    preset.scopeParameters = [(["name", "email"], ["response_mode": "form_post"])]
    return preset
  }()
}
