extension ServerPreset {
  /// Google's accounts.
  static let google = {
    var preset = ServerPreset(
      "Google", for: .exactly("https://accounts.google.com"),
      [
        Difference(
          "The scope offline_access is an error; access_type=offline asks for a refresh token, and prompt=consent for another one.",
          "https://developers.google.com/identity/protocols/oauth2/web-server#offline"),
        Difference(
          "The iss of an ID token may be without its scheme.",
          "https://developers.google.com/identity/openid-connect/openid-connect#validatinganidtoken"),
        Difference(
          "The secret of an installed app is in each copy of it, and none; it has to be sent all the same.",
          "https://developers.google.com/identity/protocols/oauth2#installed"),
      ])
    preset.offlineParameters = ["access_type": "offline", "prompt": "consent"]
    preset.otherIssuerNames = ["accounts.google.com"]
    return preset
  }()
}
