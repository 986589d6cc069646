internal import Foundation
internal import HTTPTypes
internal import OstiaryCore
internal import OstiaryHTML

// How the pages of a login are reached.
extension FormLogin {
  /// The page with the form that a challenge has, leads to, or stands for.
  func open(
    _ challenge: Challenge, isFresh: Bool, in conversation: inout ChallengeConversation
  ) async throws -> LoginPage {
    if isFresh, challenge.hasWholeBody, challenge.response.head.isPage {
      var response = challenge.response
      response.url = response.url ?? challenge.request.head.targetURL
      if let page = LoginPage(HTMLPage(response), self, goesOn: false) { return page }
    }
    if let demand = GatewayDemand(challenge.response) { return try await fetch(demand.login, in: &conversation) }
    let target = challenge.response.head.redirectTarget(from: challenge.request.head)
    if let loginPage {
      // What the redirect says beyond the page's address is about the request, and the gateway may want it.
      let leads = target.map { $0.leads(to: loginPage) } ?? false
      return try await fetch(leads ? target?.targetURL ?? loginPage : loginPage, in: &conversation)
    }
    if let url = target?.targetURL { return try await fetch(url, in: &conversation) }
    guard let url = challenge.response.url ?? challenge.request.head.targetURL else { throw noForm(nil) }
    return try await fetch(url, in: &conversation)
  }

  /// Fetches the login page, following redirects and refreshes between the origins that are allowed.
  private func fetch(_ url: URL, in conversation: inout ChallengeConversation) async throws -> LoginPage {
    var url = url
    for _ in 0..<3 {
      var request = try TransportRequest.get(url)
      request.head.headerFields[.accept] = "text/html,application/xhtml+xml"
      request.responseBodyLimit = Self.largestPage
      let (response, _) = try await travel(request, stoppingAt: [], in: &conversation)
      if let error = OstiaryError(unavailable: response, to: request, now: conversation.context.clock.now) {
        throw error
      }
      let page = HTMLPage(response)
      if response.head.isPage, let login = LoginPage(page, self, goesOn: false) { return login }
      if let demand = GatewayDemand(response) {
        url = demand.login
        continue
      }
      guard response.head.isPage, let refresh = page.refreshTarget, let here = response.url,
        let next = try page.resolve(refresh, from: HTTPRequest(.get, to: here)).targetURL
      else {
        if signs.find(signs.unavailable, on: page) { throw unavailable(request) }
        throw noForm(request)
      }
      url = next
    }
    throw noForm(nil)
  }

  /// Sends a request and follows redirects by hand: only to allowed origins, and not to what the challenged request asked
  /// for, which the gateway may have kept and would now carry out, before it is sent again.
  /// - Returns: the last response, and whether it redirects to a place that is not visited.
  func travel(
    _ request: TransportRequest, stoppingAt originals: [HTTPRequest], in conversation: inout ChallengeConversation
  ) async throws -> (response: TransportResponse, leavesPages: Bool) {
    var hop = request
    var hops = 0
    while true {
      try check(hop.head)
      let response = try await conversation.send(hop, redirects: .none)
      if let error = portal.obstruction(in: response, to: hop, knowing: origins) { throw error }
      guard let next = try redirects.next(after: response.head, to: hop, hops: hops) else { return (response, false) }
      if originals.contains(where: { next.head.hasSameTarget(as: $0) }) { return (response, true) }
      guard let origin = Origin(next.head), origins.contains(origin) else {
        // Before a form was sent there is nowhere else to go.
        guard !originals.isEmpty else {
          throw OstiaryError(
            .redirectRefused, "The gateway's login page is on a server that the app has not allowed.",
            request: next.head, requestMayHaveExecuted: false)
        }
        return (response, true)
      }
      hops += 1
      hop = next
    }
  }

  /// Whether a request goes where the app allowed this handler to go.
  private func check(_ request: HTTPRequest) throws {
    guard let origin = Origin(request), origins.contains(origin) else {
      throw OstiaryError(
        .unsafeLoginForm, "The login leads to a server that the app has not allowed; nothing was sent there.",
        advice: "If it belongs to the gateway, add its address to the form login's origins.", request: request,
        requestMayHaveExecuted: false)
    }
  }

  /// The largest page that is read: 4 MiB.
  static let largestPage = 4 << 20

  private func noForm(_ request: TransportRequest?) -> OstiaryError {
    OstiaryError(
      .unexpectedResponse, "The gateway did not show its login form.",
      advice: "Check the form's sign and the login page's address.", request: request?.head)
  }

  func unavailable(_ request: TransportRequest) -> OstiaryError {
    OstiaryError(.serverUnavailable, "The gateway says that it can't answer now.", request: request.head)
  }
}
