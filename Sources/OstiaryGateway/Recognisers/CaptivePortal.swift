internal import Foundation
internal import HTTPTypes
internal import OstiaryCore
internal import OstiaryHTML

/// Tells the login page of a wireless network, which answers in every server's place, from the server and its gateway.
///
/// Over https no other host can answer in a server's place. Over http these give a portal away: the status 511 (RFC
/// 6585 §6), the elements of WISPr that portals put into their pages for programs, a redirect to a host that the app
/// does not know with the address asked for in it, and a page with a password form that leads to such a host.
struct CaptivePortal: Sendable {
  /// How much of a page is looked at.
  private static let pageSize = 64 * 1024

  /// The error to report for a response that a portal gave; `nil` for every other.
  /// - Parameter origins: the hosts that the app knows.
  func obstruction(
    in response: TransportResponse, to request: TransportRequest, knowing origins: [Origin]
  ) -> OstiaryError? {
    guard isPortal(response, request, origins) else { return nil }
    return OstiaryError(
      .captivePortal, "A wireless network answered in the server's place with its own login page.",
      request: request.head, requestMayHaveExecuted: false)
  }

  /// How much of a body has to be seen to tell, in bytes.
  func bodyNeeded(toJudge response: HTTPResponse, to request: TransportRequest) -> Int {
    request.head.scheme == "https" || !response.isPage ? 0 : Self.pageSize
  }

  private func isPortal(_ response: TransportResponse, _ request: TransportRequest, _ origins: [Origin]) -> Bool {
    if response.status.code == 511 { return true }
    guard request.head.scheme != "https", let own = Origin(request.head) else { return false }
    func isStrange(_ origin: Origin?) -> Bool {
      guard let origin else { return false }
      return origin.host != own.host && !origins.contains(origin)
    }
    if response.status.kind == .redirection, let target = response.head.redirectTarget(from: request.head),
      isStrange(Origin(target)), Self.mentions(own, in: target.path ?? "")
    {
      return true
    }
    guard response.head.isPage else { return false }
    let body = response.body.prefix(Self.pageSize)
    if body.range(of: Self.marker) != nil { return true }
    guard (200..<300).contains(response.status.code), !MediaRange.asksForPage(request.head) else { return false }
    let page = HTMLPage(TransportResponse(response.head, body: body, url: response.url ?? request.head.targetURL))
    let targets = page.forms.filter(\.asksForPassword).compactMap { form in
      (try? page.resolve(form.action, from: request.head)).flatMap { Origin($0) }
    }
    return !targets.isEmpty && targets.allSatisfy(isStrange)
  }

  /// Whether a path's query has the address that was asked for.
  private static func mentions(_ origin: Origin, in path: String) -> Bool {
    guard let query = path.split(separator: "?", maxSplits: 1).dropFirst().first else { return false }
    return query.lowercased().contains(origin.host)
  }

  private static let marker = Data("<WISPAccessGatewayParam".utf8)
}
