import Foundation
import HTTPTypes
import OstiaryCore

/// The two ways to the flows: pages for people, and a JSON interface for programs. Both show the same document.
struct AccountRoutes: Sendable {
  let flows: FlowService
  let sessions: ServerSessions
  let cookies: PageCookies
  let seal: PageSeal
  let origin: Origin
  let pages: FlowPage

  var now: Date { flows.now }

  var routes: [Route] {
    var routes = [
      Route(FlowPaths.home, [.get: { try await home($0) }]),
      Route(FlowPaths.logout, [.post: { try await signOut($0) }]),
      Route(FlowPaths.session, [.get: { try await whoAmI($0) }, .delete: { try await endSession($0) }]),
    ]
    for kind in FlowKind.allCases {
      routes.append(
        Route(
          FlowPaths.page(kind),
          [.get: { try await showPage(kind, $0) }, .post: { try await submitPage(kind, $0) }]))
      routes.append(
        Route(
          FlowPaths.json(kind),
          [.get: { try await showJSON(kind, $0) }, .post: { try await submitJSON(kind, $0) }]))
    }
    return routes
  }

  /// Whether a request is the client's own; where it isn't, that is told.
  /// - Parameter hasToken: whether it has the token of the page, where there is one.
  func isGenuine(_ request: DoorRequest, _ hasToken: Bool = true) async throws -> Bool {
    if !isForged(request), hasToken { return true }
    try await flows.storage.noteRefusal(AuditEvent(.formRefused, .forged), at: now)
    return false
  }

  /// Whether a browser says that somebody else's page made it send this. It says `null` for the server's own pages, too,
  /// which name no referrer; what these send is known by its token.
  private func isForged(_ request: DoorRequest) -> Bool {
    guard !request.isCrossSite else { return true }
    guard let named = request.headers["Origin"], named != "null" else { return false }
    return Origin(plain: named) != origin
  }
}
