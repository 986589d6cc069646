import Foundation
import HTTPTypes
import OstiaryCore

extension GatewayDoor {
  /// `GET /gateway`: the signed-in user, and the form that signs out.
  func home(_ request: DoorRequest) async throws -> DoorResponse {
    guard case .user(let user, let proof) = try await visitor(of: request) else {
      return .page(pages(for: request).room.nobody(signIn: names.loginPage))
    }
    return .page(
      pages(for: request).room.home(user: user.displayName, signOut: names.logout, token: room.signOutToken(proof)))
  }

  /// `GET /gateway/session`: the signed-in user, for programs.
  func session(_ request: DoorRequest) async throws -> DoorResponse {
    let visitor = try await visitor(of: request)
    guard case .user(let user, _) = visitor else { return typedChallenge(visitor, at: origin) }
    return try .json(.object(["user": .string(user.name), "name": .string(user.displayName)]))
  }

  /// `DELETE /gateway/session`: signs a program out. Another site's page can't make a browser send this.
  func endSession(_ request: DoorRequest) async throws -> DoorResponse {
    guard !(try await room.isForged(request)) else {
      return .failure(.forbidden, for: request) { $0(.requestForged) }
    }
    try await room.endSessions(of: request)
    return leaving(DoorResponse(status: .noContent))
  }

  /// The logout page. Vendors' pages end the session with the GET; Ostiary's own asks first, because another site's
  /// page can make a browser send a GET.
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
    // Without a session there is nothing to end, and no user to protect.
    if case .user(_, let proof) = try await visitor(of: request) {
      guard !(try await room.isForged(request)),
        try await room.isSignOutToken(request.form?.first("token"), for: proof)
      else {
        return .page(pages(for: request).room.expired(next: "/gateway"), status: .forbidden)
      }
    }
    try await room.endSessions(of: request)
    return leaving(.page(pages(for: request).room.signedOut(signIn: names.loginPage)))
  }

  private func vendorLogout(_ request: DoorRequest, token: String?) async throws -> DoorResponse {
    guard !(try await room.isForged(request)) else {
      return .failure(.forbidden, for: request) { $0(.requestForged) }
    }
    if configuration.validatesSecretToken, case .user(_, let proof) = try await visitor(of: request) {
      guard try await room.isSignOutToken(token, for: proof) else {
        return .failure(.badRequest, .requestInvalid, for: request)
      }
    }
    try await room.endSessions(of: request)
    let page = DoorResponse.page(pages(for: request).room.signedOut(signIn: names.loginPage))
    return leaving(
      configuration.style == .webSEAL && configuration.redirectsLocalResponses
        ? .redirect(to: names.loginPage + "/?" + operation("logout", Destination(target: nil), request)) : page)
  }

  /// The browser's cache must not keep pages of the session. Cookies of other programs on this host are not cleared.
  private func leaving(_ response: DoorResponse) -> DoorResponse {
    var response = cookies.deletingSession(in: response)
    response.headers["Clear-Site-Data"] = "\"cache\""
    return response
  }
}
