import HTTPTypes
import OstiaryCore

/// The two interfaces to the flows: pages for people, and JSON for programs. Both show the same document.
struct AccountRoutes: Sendable {
  let flows: FlowService
  /// The front room, at which people sign in and out.
  let room: FrontRoom
  let origin: Origin
  let pages: FlowPage
  let news: HomeNews

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
}
