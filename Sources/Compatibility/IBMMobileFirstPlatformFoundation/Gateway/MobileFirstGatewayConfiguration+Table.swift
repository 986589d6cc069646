package import Ostiary

extension MobileFirstGatewayConfiguration {
  /// Reads settings.
  package init(_ document: SettingsDocument) throws {
    self.init()
    try document.read(Self.table, into: &self)
  }

  /// Where settings are from, as messages call it.
  @Sendable package static func source(_ name: String) -> SettingsSource { SettingsSource(name) }

  /// Every setting of a file.
  static var table: [Setting<Self>] {
    [
      .server("server", \.server), .page("sessionCheck", \.sessionCheck), .page("loginPage", \.loginPage),
      .text("formAction", \.formAction), .text("usernameField", \.usernameField),
      .text("passwordField", \.passwordField), .texts("otherFields", \.otherFields), .text("button", \.button),
      .text("usernameCredential", \.usernameCredential), .text("passwordCredential", \.passwordCredential),
      .page("logout", \.logout), .flag("logoutIsForm", \.logoutIsForm),
      .servers("passwordOrigins", \.passwordOrigins), .list("lockedWords", \.lockedWords),
      .list("staleWords", \.staleWords),
      .flag("allowingInsecureHTTPForPasswords", \.allowingInsecureHTTPForPasswords),
    ]
  }

  /// An error about a setting that code has set.
  static func invalid(_ name: String, _ problem: String) -> OstiaryError {
    source("MobileFirstGatewayConfiguration").refusal([SettingProblem(name, problem)])
  }
}
