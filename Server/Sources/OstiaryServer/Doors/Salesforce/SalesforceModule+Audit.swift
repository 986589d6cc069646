extension SalesforceModule {
  static var audit: [RouteAudit] {
    let oauth = "/services/oauth2"
    let client: [RouteAudit.Outcome] = [
      .init("the app is unknown", .clientRefused, .unknown),
      .init("its secret is wrong", .clientRefused, .wrong),
      .init("there were too many wrong secrets", .clientRefused, .tooManyAttempts),
    ]
    return [
      RouteAudit([
        "GET \(oauth)/token", "GET \(oauth)/userinfo", "POST \(oauth)/userinfo", "GET /id/:org/:user",
        "GET /.well-known/openid-configuration", "GET /setup/connect",
      ]),
      RouteAudit(
        ["POST \(oauth)/token"],
        client + .password + [
          .init("tokens are issued", .grantBegun),
          .init("the code or token is unknown", .grantRefused, .unknown),
          .init("the code is for another address", .grantRefused, .otherAddress),
          .init("the code's verifier is wrong", .grantRefused, .wrongVerifier),
          .init("the code or token is another app's", .grantRefused, .otherClient),
          .init("the code is over", .grantRefused, .expired),
          .init("the user of a device said no", .grantRefused, .denied),
          .init("the assertion is wrong", .grantRefused, .wrong),
          .init("a refresh is repeated in time", .refreshReplayed),
          .init("a spent code or token is used", .tokenReused, .reused),
          .init("its tokens end", .grantEnded, .reused),
          .init("a device asks for a code", .deviceAsked),
          .init("too many devices ask", .grantRefused, .tooManyAttempts),
        ]),
      RouteAudit(
        ["POST \(oauth)/revoke", "GET \(oauth)/revoke"],
        [
          .init("a refresh token is revoked", .grantEnded, .requestedByApp),
          .init("an access token is revoked", .accessTokenEnded, .requestedByApp),
        ]),
      RouteAudit(["POST \(oauth)/introspect"], client),
      RouteAudit(
        ["GET \(oauth)/authorize"],
        [
          .init("a code is issued to an app that the user let in before", .authorizationIssued),
          .init("the app is unknown", .clientRefused, .unknown),
        ]),
      RouteAudit(
        ["POST \(oauth)/authorize"],
        .password + .malformed + [
          .init("a code is issued", .authorizationIssued), .init("the app is unknown", .clientRefused, .unknown),
        ]),
      RouteAudit(
        ["POST \(oauth)/authorize/login", "POST /setup/connect/login"], .password + .malformed + .session + .form),
      RouteAudit(
        ["POST \(oauth)/authorize/consent"],
        [
          .init("the user says yes", .consentGiven), .init("a code is issued", .authorizationIssued),
          .init("the user says no", .consentRefused),
        ] + .form),
      RouteAudit(
        ["POST /setup/connect/code"],
        [
          .init("the device's code is unknown", .codeRefused, .unknown),
          .init("there were too many", .codeRefused, .tooManyAttempts),
        ] + .form),
      RouteAudit(
        ["POST /setup/connect/decision"],
        [
          .init("the user says yes", .consentGiven), .init("the user says no", .consentRefused),
          .init("the device's code is unknown", .codeRefused, .unknown),
          .init("there were too many", .codeRefused, .tooManyAttempts),
        ] + .form),
      RouteAudit(
        ["", "/:version"].map { "GET /services/data" + $0 }
          + [
            "GET /limits", "GET /query", "GET /query/:locator", "GET /queryAll", "GET /sobjects",
            "GET /sobjects/:object",
            "POST /sobjects/:object", "GET /sobjects/:object/describe", "GET /sobjects/:object/:id",
            "PATCH /sobjects/:object/:id", "DELETE /sobjects/:object/:id",
          ].map { $0.replacing(" ", with: " /services/data/:version") }),
    ]
  }
}
