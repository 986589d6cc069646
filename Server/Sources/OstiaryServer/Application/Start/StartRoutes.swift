import HTTPTypes
import OstiaryCore

/// `/`: the description of the server, for people and for programs.
struct StartRoutes: Sendable {
  /// The announcement; nil while the server starts or stops.
  let announcement: @Sendable () async throws -> ServerAnnouncement?
  /// The most recent events; nil on a server that is not for development.
  let recent: RecentEvents?

  var routes: [Route] { [Route("/", [.get: { try await show($0) }])] }

  private func show(_ request: DoorRequest) async throws -> DoorResponse {
    guard let announcement = try await announcement() else { return .unavailable(for: request) }
    // As with the mailbox: a development server shows its events only to clients on its own machine.
    let isHere = ClientAddress(request.clientAddress)?.isLoopback == true
    let page = StartPage(
      announcement: announcement, recent: isHere ? recent?.newest : nil, reloads: request.query.first("still") == nil)
    var answer: DoorResponse
    switch Self.form(for: request) {
    case .page: answer = .page(page.page)
    case .json: answer = try .json(page.json)
    case .text:
      answer = DoorResponse(
        status: .ok, headers: [.contentType: "text/plain; charset=utf-8"], body: Array(page.text.utf8))
    }
    answer.headers[.vary] = "Accept"
    return answer
  }

  private enum Form { case page, json, text }

  /// A page for browsers, which name its type; data for programs that ask for it; lines for a terminal.
  private static func form(for request: DoorRequest) -> Form {
    if request.prefersJSON { return .json }
    let types = request.headers[values: .accept].flatMap(\.listElements).map {
      $0.bytePrefix(before: ";").trimmingBlanks.lowercasedASCII
    }
    return types.contains("text/html") || types.contains("application/xhtml+xml") ? .page : .text
  }
}
