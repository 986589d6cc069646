import Foundation
import HTTPTypes
import OstiaryCore

extension GatewayDoor {
  /// `GET /gateway`: who is signed in, and the way out.
  func home(_ request: DoorRequest) async throws -> DoorResponse {
    guard case .user(let user, let proof) = try await visitor(of: request) else {
      return .page(pages.nobody(login: names.loginPage))
    }
    return .page(pages.home(user: user.displayName, logout: names.logout, token: logoutToken(proof)))
  }

  /// `GET /gateway/session`: who is signed in, for programs.
  func session(_ request: DoorRequest) async throws -> DoorResponse {
    let visitor = try await visitor(of: request)
    guard case .user(let user, _) = visitor else { return typedChallenge(visitor, at: origin) }
    return try .json(.object(["user": .string(user.name), "name": .string(user.displayName)]))
  }

  /// `DELETE /gateway/session`: signs a program out. No page can make a browser send this from elsewhere.
  func endSession(_ request: DoorRequest) async throws -> DoorResponse {
    guard !isForged(request) else {
      try await noteForged()
      return .failure(.forbidden, "The request comes from another site.", for: request)
    }
    try await end(request)
    return leaving(DoorResponse(status: .noContent))
  }

  /// The logout page. Vendors' end the session when it is asked for; Ostiary's own asks back, since any page can make a
  /// browser ask for it.
  func logoutPage(_ request: DoorRequest) async throws -> DoorResponse {
    guard configuration.style == .ostiary else {
      return try await vendorLogout(request, token: request.query.first("token"))
    }
    return try await home(request)
  }

  func submitLogout(_ request: DoorRequest) async throws -> DoorResponse {
    guard configuration.style == .ostiary else {
      let token = request.query.first("token") ?? request.form?.first("token")
      return try await vendorLogout(request, token: token)
    }
    // Without a session there is nothing to end, and nobody who could be harmed.
    if case .user(_, let proof) = try await visitor(of: request) {
      guard !isForged(request), isLogoutToken(request.form?.first("token"), for: proof) else {
        try await noteForged()
        return .page(pages.expired("/gateway"), status: .forbidden)
      }
    }
    try await end(request)
    return leaving(.page(pages.signedOut))
  }

  private func vendorLogout(_ request: DoorRequest, token: String?) async throws -> DoorResponse {
    guard !isForged(request) else {
      try await noteForged()
      return .failure(.forbidden, "The request comes from another site.", for: request)
    }
    if configuration.validatesSecretToken, case .user(_, let proof) = try await visitor(of: request) {
      guard isLogoutToken(token, for: proof) else {
        try await noteForged()
        return .failure(.badRequest, "The request is not valid.", for: request)
      }
    }
    try await end(request)
    let page = DoorResponse.page(pages.signedOut)
    return leaving(
      configuration.style == .webSEAL && configuration.redirectsLocalResponses
        ? .redirect(to: names.loginPage + "/?" + operation("logout", Destination(target: nil), request)) : page)
  }

  private func end(_ request: DoorRequest) async throws {
    for proof in cookies.proofs(in: request) { try await parts.sessions.end(GatewayCookies.sessionID(of: proof)) }
  }

  /// Nothing of what was seen stays in the browser's cache. Cookies of other programs on this host are not ours to clear.
  private func leaving(_ response: DoorResponse) -> DoorResponse {
    var response = cookies.deletingSession(in: response)
    response.headers["Clear-Site-Data"] = "\"cache\""
    return response
  }

  private func logoutToken(_ proof: Secret) -> String {
    parts.seal.seal("logout", [Self.sessionMark(proof)], until: now.addingTimeInterval(24 * 3600))
  }

  private func isLogoutToken(_ token: String?, for proof: Secret) -> Bool {
    token.flatMap { parts.seal.open("logout", $0, at: now) } == [Self.sessionMark(proof)]
  }
}
