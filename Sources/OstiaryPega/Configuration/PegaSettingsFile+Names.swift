extension PegaSettingsFile {
  /// A setting that is a text, by its name in the file.
  typealias Text<Root> = (name: String, path: any WritableKeyPath<Root, String> & Sendable)

  /// The settings of ``PegaConfiguration`` that are names or marks.
  static let texts: [Text<PegaConfiguration>] = [
    ("contextPath", \.contextPath),
    ("servletName", \.servletName),
    ("mobileAppConfigurationActivity", \.mobileAppConfigurationActivity),
    ("accessGroupDetailsActivity", \.accessGroupDetailsActivity),
    ("formLoginActivity", \.formLoginActivity),
    ("logOffActivity", \.logOffActivity),
    ("activityParameter", \.activityParameter),
    ("userParameter", \.userParameter),
    ("passwordParameter", \.passwordParameter),
    ("guestParameter", \.guestParameter),
    ("guestValue", \.guestValue),
    ("realmMark", \.realmMark),
    ("loginFormID", \.loginFormID),
    ("errorElementID", \.errorElementID),
    ("errorNameAttribute", \.errorNameAttribute),
    ("accountLockedName", \.accountLockedName),
    ("tooManyAttemptsName", \.tooManyAttemptsName),
    ("containerVersion", \.containerVersion),
  ]

  /// The members of the login activity's answer.
  static let keys: [Text<PegaConfiguration.ResponseKeys>] = [
    ("accessGroup", \.accessGroup),
    ("baseURL", \.baseURL),
    ("accessGroups", \.accessGroups),
    ("operatorID", \.operatorID),
    ("operatorName", \.operatorName),
    ("applicationName", \.applicationName),
    ("minimumContainerVersion", \.minimumContainerVersion),
    ("maximumContainerVersion", \.maximumContainerVersion),
    ("errors", \.errors),
    ("errorID", \.errorID),
  ]

  /// The names in a SnapStart address, and the mark of an action's end.
  static let snapStart: [Text<PegaConfiguration.SnapStartNames>] = [
    ("activity", \.activity),
    ("action", \.action),
    ("showFullPortal", \.showFullPortal),
    ("createCase", \.createCase),
    ("openCase", \.openCase),
    ("openAssignment", \.openAssignment),
    ("showHarness", \.showHarness),
    ("runActivity", \.runActivity),
    ("flowType", \.flowType),
    ("insClass", \.insClass),
    ("insHandle", \.insHandle),
    ("harness", \.harness),
    ("activityName", \.activityName),
    ("className", \.className),
    ("finishedElementID", \.finishedElementID),
  ]

  /// The numbers of the drop-in module's errors.
  static let numbers: [(name: String, path: any WritableKeyPath<PegaErrorNumbers, Int> & Sendable)] = [
    ("invalidCredentials", \.invalidCredentials),
    ("internal", \.internal),
    ("invalidInputData", \.invalidInputData),
    ("network", \.network),
    ("unexpectedServerResponse", \.unexpectedServerResponse),
    ("wrongClientVersion", \.wrongClientVersion),
    ("accountLocked", \.accountLocked),
  ]
}
