extension PrimerModule {
  static var audit: [RouteAudit] {
    let path = PrimerDoor.path
    let app: [RouteAudit.Outcome] = [.init("the app's token is unknown", .clientRefused, .unknown)]
    let flood: [RouteAudit.Outcome] = [.init("too many were asked for", .accountRefused, .tooManyAttempts)]
    return [
      RouteAudit(["GET \(path)/v1/experience"], app),
      RouteAudit(["POST \(path)/v1/events", "POST \(path)/v1/users/:anonymous/identify"], app + .form),
      RouteAudit(["POST \(path)/login"], .password + .form),
      RouteAudit(
        ["POST \(path)/signup"],
        [
          .init("the account is made", .accountMade, .requestedByApp),
          .init("the address has an account", .accountRefused, .alreadyTaken),
        ] + flood + .form),
      RouteAudit(["POST \(path)/validate"], flood + .form),
      RouteAudit(
        ["POST \(path)/recover"],
        .code + [.init("the password is replaced", .passwordChanged, .requestedByApp)] + .form),
    ]
  }
}
