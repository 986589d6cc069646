import HTTPTypes

extension SalesforceDoor: Door {
  package var routes: [Route] {
    let communities = configuration.orgs.flatMap { org in org.communities.map { SalesforceEntry($0, of: org) } }
    return ([root] + communities).flatMap { oauthRoutes($0) + browserRoutes($0) + dataRoutes($0) }
  }

  private func oauthRoutes(_ entry: SalesforceEntry) -> [Route] {
    let base = entry.path + "/services/oauth2"
    return [
      Route(
        base + "/token",
        [
          .post: { try await token($0, entry) },
          .get: {
            try SalesforceOAuthFailure.mustPost.response(SalesforceOAuthFormat($0, SalesforceForm(query: $0.query)))
          },
        ]),
      Route(base + "/revoke", [.post: { try await revoke($0) }, .get: { try await revoke($0) }]),
      Route(base + "/introspect", [.post: { try await introspect($0) }]),
      Route(
        base + "/userinfo", [.get: { try await userInfo($0, entry) }, .post: { try await userInfo($0, entry) }]),
      Route(entry.path + "/id/:org/:user", [.get: { try await identityDocument($0, entry) }]),
      Route(entry.path + "/.well-known/openid-configuration", [.get: { _ in try discovery(entry) }]),
    ]
  }

  private func browserRoutes(_ entry: SalesforceEntry) -> [Route] {
    let authorize = entry.path + "/services/oauth2/authorize"
    let connect = entry.path + "/setup/connect"
    return [
      Route(
        authorize,
        [.get: { try await self.authorize($0, entry) }, .post: { try await authorizeHeadless($0, entry) }]),
      Route(authorize + "/login", [.post: { try await submitAuthorizeLogin($0, entry) }]),
      Route(authorize + "/consent", [.post: { try await submitConsent($0, entry) }]),
      Route(connect, [.get: { try await self.connect($0, entry) }]),
      Route(connect + "/login", [.post: { try await submitConnectLogin($0, entry) }]),
      Route(connect + "/code", [.post: { try await submitUserCode($0, entry) }]),
      Route(connect + "/decision", [.post: { try await submitDeviceDecision($0, entry) }]),
    ]
  }
}
