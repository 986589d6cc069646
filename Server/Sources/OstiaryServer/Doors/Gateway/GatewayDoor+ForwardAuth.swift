import HTTPTypes
import OstiaryCore

extension GatewayDoor {
  /// The proxy's way of asking, and the answers that it supports.
  enum Proxy: Sendable {
    /// Traefik's ForwardAuth, Caddy's `forward_auth`: an answer other than 2xx goes to the client unchanged.
    case plain
    /// nginx's `auth_request`: 2xx, 401 or 403, without a body; the challenge is requested at `/gateway/challenge`.
    case nginx
    /// Envoy's `ext_authz` over HTTP: the original path follows the prefix, and only 200 admits the request.
    case envoy
  }

  /// Whether a proxy's request has a session.
  func authorize(_ request: DoorRequest, as proxy: Proxy) async throws -> DoorResponse {
    let visitor = try await visitor(of: request)
    guard case .user(let user, _) = visitor else {
      let asked = original(request, proxy)
      guard proxy == .nginx || GatewayClient(request.headers) == .browser else {
        return typedChallenge(visitor, at: asked.origin)
      }
      let location = loginLocation(asked.destination, request, visitor, at: asked.origin)
      if proxy == .nginx {
        var response = typedChallenge(visitor, at: asked.origin)
        response.headers[.location] = location
        return response
      }
      return withoutStaleCookies(visitor, in: .redirect(to: location, status: asked.isPlain ? .found : .seeOther))
    }
    guard admission.admits(user) else { return try await refused(user, request) }
    return DoorResponse(status: proxy == .envoy ? .ok : .accepted, headers: parts.identity.fields(of: user))
  }

  /// The challenge that nginx can't pass on by itself: the login page for browsers, a typed 401 for programs.
  func challengeForProxy(_ request: DoorRequest) async throws -> DoorResponse {
    let visitor = try await visitor(of: request)
    let asked = original(request, .nginx)
    guard GatewayClient(request.headers) == .browser else { return typedChallenge(visitor, at: asked.origin) }
    // The user has signed in meanwhile, in another tab.
    if visitor.user != nil, asked.isPlain, let target = asked.destination.target {
      return .redirect(to: target.url, status: .seeOther)
    }
    let location = loginLocation(asked.destination, request, visitor, at: asked.origin)
    return withoutStaleCookies(visitor, in: .redirect(to: location, status: asked.isPlain ? .found : .seeOther))
  }

  /// The request that the proxy received, if the proxy is trusted and its origin is on the list.
  private struct Original {
    let origin: Origin
    let destination: Destination
    let isPlain: Bool
  }

  private func original(_ request: DoorRequest, _ proxy: Proxy) -> Original {
    guard request.isFromTrustedProxy else {
      return Original(origin: origin, destination: Destination(target: nil), isPlain: true)
    }
    func single(_ names: HTTPField.Name...) -> String? {
      let values = names.lazy.map { request.headers[values: $0] }.first { !$0.isEmpty }
      guard let values, values.count == 1, !values[0].utf8.contains(UInt8(ascii: ",")) else { return nil }
      return values[0]
    }
    var target: ReturnTarget?
    var named: Origin?
    let scheme = single(.xForwardedProto) ?? origin.scheme
    switch proxy {
    case .envoy:
      named = request.authority.flatMap { Origin(scheme: scheme, authority: $0) }
      let path = request.target.droppingBytes(Self.envoyPrefix.reduce(0) { $0 + $1.utf8.count + 1 })
      target = known(named).flatMap { ReturnTarget($0, path: path.isEmpty ? "/" : String(path)) }
    case .plain, .nginx:
      let url = request.headers[values: .xOriginalURL]
      if url.count == 1 {
        target = ReturnTarget(url[0], origin: origin, allowed: origins)
        named = target?.origin
      } else if url.isEmpty {
        named = single(.xForwardedHost).flatMap { Origin(scheme: scheme, authority: $0) }
        let path = request.headers[values: .xForwardedURI]
        target = path.count == 1 ? known(named).flatMap { ReturnTarget($0, path: path[0]) } : nil
      }
    }
    let method = single(.xForwardedMethod, .xOriginalMethod) ?? request.method.rawValue
    let isPlain = method == "GET" || method == "HEAD"
    return Original(
      origin: known(named) ?? origin, destination: Destination(target: isPlain ? target : nil), isPlain: isPlain)
  }

  private func known(_ named: Origin?) -> Origin? {
    named.flatMap { origins.contains($0) ? $0 : nil }
  }
}
