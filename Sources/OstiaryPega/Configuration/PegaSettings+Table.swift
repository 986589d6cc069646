package import OstiaryCore

extension PegaSettings {
  /// Where settings are from, as messages call it.
  @Sendable package static func source(_ name: String) -> SettingsSource {
    SettingsSource(name, article: "The article “The settings of a Pega server” of OstiaryPega")
  }

  /// Every setting of a file. The article "The settings of a Pega server" has the same list; a test compares them.
  static var table: [Setting<PegaSettings>] {
    let own: [Setting<PegaSettings>] = [
      .server("server", \.server), .choice("signIn", \.signIn), .choice("loginActivity", \.loginActivity),
      .group("keys", \.names.keys, keys), .group("snapStart", \.names.snapStart, snapStart),
      .group("errorNumbers", \.errorNumbers, errorNumbers) { numbers in
        Set(numbers.all).count == numbers.all.count ? nil : "must all be different"
      },
    ]
    return own + addresses + signIn + answers + cookies
  }

  private static var addresses: [Setting<PegaSettings>] {
    [
      .text("contextPath", \.names.contextPath) { isContextPath($0) ? nil : "must be a path such as /prweb" },
      .text("servletName", \.names.servletName) { isServletName($0) ? nil : "must be a name such as PRServlet" },
      .flag("isProduction", \.names.isProduction),
    ]
  }

  private static var signIn: [Setting<PegaSettings>] {
    [
      .text("mobileAppConfigurationActivity", \.names.mobileAppConfigurationActivity),
      .text("accessGroupDetailsActivity", \.names.accessGroupDetailsActivity),
      .text("formLoginActivity", \.names.formLoginActivity), .text("logOffActivity", \.names.logOffActivity),
      .text("activityParameter", \.names.activityParameter), .text("userParameter", \.names.userParameter),
      .text("passwordParameter", \.names.passwordParameter), .text("guestParameter", \.names.guestParameter),
      .text("guestValue", \.names.guestValue), .list("emptyFormFields", \.names.emptyFormFields),
    ]
  }

  private static var answers: [Setting<PegaSettings>] {
    [
      .text("realmMark", \.names.realmMark), .text("loginFormID", \.names.loginFormID),
      .text("errorElementID", \.names.errorElementID), .text("errorNameAttribute", \.names.errorNameAttribute),
      .text("accountLockedName", \.names.accountLockedName),
      .text("tooManyAttemptsName", \.names.tooManyAttemptsName), .seconds("lockoutWait", \.names.lockoutWait),
      .text("containerVersion", \.names.containerVersion),
      .text("containerVersionField", \.names.containerVersionField, mayBeEmpty: true) { field in
        isFree(field) ? nil : "must be the name of a header field that has no other use"
      },
    ]
  }

  private static var cookies: [Setting<PegaSettings>] {
    [
      .list("sessionCookieNames", \.names.sessionCookieNames) { $0.isEmpty ? "must name at least one cookie" : nil },
      .list("containerCookieNames", \.names.containerCookieNames),
    ]
  }

  // MARK: Groups

  private static var keys: [Setting<PegaConfiguration.ResponseKeys>] {
    [
      .text("accessGroup", \.accessGroup), .text("baseURL", \.baseURL), .text("accessGroups", \.accessGroups),
      .text("operatorID", \.operatorID), .text("operatorName", \.operatorName),
      .text("applicationName", \.applicationName), .text("minimumContainerVersion", \.minimumContainerVersion),
      .text("maximumContainerVersion", \.maximumContainerVersion), .text("errors", \.errors),
      .text("errorID", \.errorID),
    ]
  }

  private static var snapStart: [Setting<PegaConfiguration.SnapStartNames>] {
    [
      .text("activity", \.activity), .text("action", \.action), .text("showFullPortal", \.showFullPortal),
      .text("createCase", \.createCase), .text("openCase", \.openCase), .text("openAssignment", \.openAssignment),
      .text("showHarness", \.showHarness), .text("runActivity", \.runActivity), .text("flowType", \.flowType),
      .text("insClass", \.insClass), .text("insHandle", \.insHandle), .text("harness", \.harness),
      .text("activityName", \.activityName), .text("className", \.className),
      .text("finishedElementID", \.finishedElementID), .seconds("pageTimeout", \.pageTimeout),
    ]
  }

  private static var errorNumbers: [Setting<PegaErrorNumbers>] {
    [
      .text("domain", \.domain), .number("invalidCredentials", \.invalidCredentials), .number("internal", \.internal),
      .number("invalidInputData", \.invalidInputData), .number("network", \.network),
      .number("unexpectedServerResponse", \.unexpectedServerResponse),
      .number("wrongClientVersion", \.wrongClientVersion), .number("accountLocked", \.accountLocked),
    ]
  }

  // MARK: Judging

  /// Whether a path stays at the server.
  private static func isContextPath(_ path: String) -> Bool {
    let isPlain = path.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"?#\\;@".utf8.contains($0) }
    let steps = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    return isPlain && path.hasPrefix("/") && !steps.contains("..") && (!steps.contains("") || steps.count == 1)
  }

  /// Whether a name stays below the context's path.
  private static func isServletName(_ name: String) -> Bool {
    name.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"?#\\;@:".utf8.contains($0) }
      && name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { !["", ".", ".."].contains($0) }
  }

  /// Whether a field may carry the version: it is a field's name, and not one by which requests are sent or signed in.
  private static func isFree(_ field: String) -> Bool {
    let taken: Set = [
      "host", "authorization", "proxy-authorization", "cookie", "content-length", "content-type", "transfer-encoding",
      "connection", "accept", "accept-encoding", "te", "upgrade", "expect", "origin", "referer",
    ]
    let isName = field.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"\"(),/:;<=>?@[\\]{}".utf8.contains($0) }
    return isName && !taken.contains(field.lowercased())
  }
}
