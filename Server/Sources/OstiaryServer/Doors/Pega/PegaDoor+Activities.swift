import HTTPTypes
import OstiaryCore

extension PegaDoor {
  /// A login activity: with a credential it signs in, without one it returns the user of the session.
  func login(_ request: DoorRequest, _ servlet: PegaServlet, tellsVersions: Bool) async throws -> DoorResponse {
    switch PegaCredentials.read(request, configuration.names) {
    case .malformed:
      try await noteMalformed()
      return unauthorized(request)
    case .none:
      guard let visitor = try await visitor(of: request), let user = visitor.session.user else {
        return unauthorized(request)
      }
      return try dictionary(of: user, visitor, servlet, tellsVersions: tellsVersions)
    case .credentials(let credentials):
      switch try await signIn(credentials, request) {
      case .signedIn(let visitor, let user):
        return cookies.setting(
          visitor.id, in: try dictionary(of: user, visitor, servlet, tellsVersions: tellsVersions))
      case .refused: return unauthorized(request)
      case .locked: return try lockedProblem()
      case .later(let response): return response
      }
    }
  }

  private func dictionary(
    of user: User, _ visitor: PegaVisitor, _ servlet: PegaServlet, tellsVersions: Bool
  ) throws -> DoorResponse {
    let names = configuration.names
    let accessGroup = JSONValue.string(accessGroup(of: user))
    var members: [String: JSONValue] = [
      names.accessGroup: accessGroup,
      names.applicationName: .string(configuration.applicationName),
      names.baseURL: .string(origin.description + servlet.pagePath(of: visitor.id)),
      names.operatorID: .string(user.name),
      names.operatorName: .string(user.displayName),
    ]
    if tellsVersions {
      members[names.minContainerVersion] = .string(configuration.minContainerVersion)
      members[names.maxContainerVersion] = .string(configuration.maxContainerVersion)
    } else {
      members[names.accessGroups] = .array([accessGroup])
    }
    return try .json(.object(members))
  }

  /// Ends the session. The page of the answer leads back to the start page, as a guest.
  func logOff(_ request: DoorRequest, _ servlet: PegaServlet) async throws -> DoorResponse {
    for id in cookies.sessionIDs(in: request) { try await sessions.end(id) }
    let names = configuration.names
    let next =
      "\(servlet.path)?\(names.activityParameter)=\(configuration.endSessionActivity)&\(names.guestParameter)=guest&ShowLogoffScreen"
    return cookies.deleting(in: .page(pages(for: request).loggedOff(next: next)))
  }

  /// The page after log-off. It ends every session that the request still names: a guest session is of no use either.
  func endSession(_ request: DoorRequest, _ servlet: PegaServlet) async throws -> DoorResponse {
    for id in cookies.sessionIDs(in: request) { try await sessions.end(id) }
    return cookies.deleting(in: .page(pages(for: request).sessionEnded(signIn: servlet.path)))
  }
}
