extension PegaModule {
  static var audit: [RouteAudit] {
    let context = PegaDoorConfiguration().contextPath
    let servlets =
      [context] + PegaServlet.patterns.flatMap { [context + $0, context + $0 + "/:hash/:thread"] }
    return [
      RouteAudit(
        servlets.flatMap { ["GET \($0)", "POST \($0)"] },
        .password + .malformed + .session + .signOut + .form),
      RouteAudit(["GET \(context)/api/v1/authenticate", "GET \(context)/api/v1/cases"], .password + .malformed),
      RouteAudit(["POST \(context)/api/v1/cases"], .password + .malformed + .form),
    ]
  }
}
