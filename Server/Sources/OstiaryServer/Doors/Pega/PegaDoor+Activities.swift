import HTTPTypes
import OstiaryCore

extension PegaDoor {
  /// A login activity: with a credential it signs in, without one it returns the user of the session.
  func login(_ request: DoorRequest, _ servlet: PegaServlet, tellsVersions: Bool) async throws -> DoorResponse {
    switch PegaCredentials.read(request) {
    case .malformed:
      try await noteMalformed()
      return unauthorized()
    case .none:
      guard let visitor = try await visitor(of: request), let user = visitor.session.user else { return unauthorized() }
      return try dictionary(of: user, visitor, servlet, tellsVersions: tellsVersions)
    case .credentials(let credentials):
      switch try await signIn(credentials, request) {
      case .signedIn(let visitor, let user):
        return cookies.setting(
          visitor.id, in: try dictionary(of: user, visitor, servlet, tellsVersions: tellsVersions))
      case .refused: return unauthorized()
      case .locked: return try lockedProblem()
      case .later(let response): return response
      }
    }
  }

  private func dictionary(
    of user: User, _ visitor: PegaVisitor, _ servlet: PegaServlet, tellsVersions: Bool
  ) throws -> DoorResponse {
    let accessGroup = JSONValue.string(accessGroup(of: user))
    var members: [String: JSONValue] = [
      "accessGroup": accessGroup,
      "applicationName": .string(configuration.applicationName),
      "baseURL": .string(origin.description + servlet.pagePath(of: visitor.id)),
      "operator": .string(user.name),
      "operatorName": .string(user.displayName),
    ]
    if tellsVersions {
      members["minContainerVersion"] = .string(configuration.minContainerVersion)
      members["maxContainerVersion"] = .string(configuration.maxContainerVersion)
    } else {
      members["accessGroups"] = .array([accessGroup])
    }
    return try .json(.object(members))
  }

  /// Ends the session. The page of the answer leads back to the start page, as a guest.
  func logOff(_ request: DoorRequest, _ servlet: PegaServlet) async throws -> DoorResponse {
    for id in PegaCookies.sessionIDs(in: request) { try await sessions.end(id) }
    let next = "\(servlet.path)?pyActivity=\(configuration.endSessionActivity)&pzAuth=guest&ShowLogoffScreen"
    return cookies.deleting(in: .page(pages.loggedOff(next: next)))
  }

  /// The page after log-off. It ends every session that the request still names: a guest session is of no use either.
  func endSession(_ request: DoorRequest, _ servlet: PegaServlet) async throws -> DoorResponse {
    for id in PegaCookies.sessionIDs(in: request) { try await sessions.end(id) }
    return cookies.deleting(in: .page(pages.sessionEnded(signIn: servlet.path)))
  }
}
