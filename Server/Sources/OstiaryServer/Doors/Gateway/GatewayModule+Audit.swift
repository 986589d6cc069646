import HTTPTypes

extension GatewayModule {
  static var audit: [RouteAudit] {
    let configuration = GatewayDoorConfiguration()
    let names = GatewayNames(configuration.style, isSecure: false)
    let admission: [RouteAudit.Outcome] = [.init("the user is not on the list", .admissionRefused, .notOnTheList)]
    let resources = GatewayResource.allCases.flatMap { resource in
      resource.methods.map { "\($0.rawValue) \(configuration.resourcesPath ?? "")/\(resource.rawValue)" }
    }
    let envoy = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].map {
      "\($0) /\(GatewayDoor.envoyPrefix.joined(separator: "/"))/**"
    }
    return [
      RouteAudit([
        "GET /gateway", "GET /gateway/session", "GET /gateway/continue", "GET /gateway/challenge",
        "GET \(names.loginPage)", "GET \(names.logout)",
      ]),
      RouteAudit(["DELETE /gateway/session", "POST \(names.logout)"], .signOut + .form),
      RouteAudit(["POST /gateway/continue"], .form),
      RouteAudit(["GET /gateway/auth", "GET /gateway/auth/nginx"] + envoy + resources, admission),
      RouteAudit(["POST \(names.loginForm)"], .password + .malformed + .session + .form + admission),
    ]
  }
}
