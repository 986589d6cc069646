import Foundation
import HTTPTypes
import NIOCore
import OstiaryCore

/// The door of a login gateway. It protects a few resources of its own and any other server, asks clients without a session to
/// sign in, and tells proxies whether a request has a session (forward authentication).
///
/// ``GatewayDoorConfiguration`` decides how it asks and answers: it can imitate the gateways that companies run.
package struct GatewayDoor: Door {
  package let name = "gateway"

  let parts: GatewayParts
  let origin: Origin
  let users: IdentityService
  /// The origins to which redirects may lead.
  let origins: Set<Origin>
  /// The front room, at which people sign in.
  let room: FrontRoom
  let admission: GatewayAdmission
  let publicPaths: GatewayPublicPaths
  /// Counts the POSTs to the built-in resources.
  let postCount = Locked(0)

  init(_ parts: GatewayParts, origin: Origin, identity: IdentityService, admitsSelfMade: Bool) {
    self.parts = parts
    self.origin = origin
    users = identity
    let configuration = parts.configuration
    origins = Set([origin] + configuration.protectedOrigins.compactMap(Origin.init(plain:)))
    room = FrontRoom(
      seal: parts.seal, cookies: parts.cookies.page, sessions: parts.sessions, storage: identity.storage,
      origins: origins, clock: parts.clock)
    admission = GatewayAdmission(configuration.admitted, admitsSelfMade: admitsSelfMade)
    publicPaths = GatewayPublicPaths(configuration.publicPaths)
  }

  var configuration: GatewayDoorConfiguration { parts.configuration }
  var names: GatewayNames { parts.names }
  var cookies: GatewayCookies { parts.cookies }
  var now: Date { parts.clock.now }

  /// The pages, in the language of a request's reader.
  func pages(for request: DoorRequest) -> GatewayPages {
    GatewayPages(configuration: configuration, names: names, texts: PageTexts(request))
  }

  package var title: String {
    switch configuration.style {
    case .ostiary: "Gateway"
    case .webSEAL: "Gateway (WebSEAL)"
    case .ltpa: "Gateway (LTPA)"
    case .classic: "Gateway (MobileFirst 7 realm)"
    }
  }

  /// The address of the first protected resource.
  package var address: String {
    let path = configuration.resourcesPath.map { $0 + "/" + GatewayResource.page.rawValue }
    return origin.description + (path ?? configuration.junctions.first?.path ?? names.loginPage)
  }

  /// The addresses of each junction: in the gateway, and of the upstream.
  package var junctions: [(address: String, upstream: String)] {
    configuration.junctions.map { (origin.description + $0.path, $0.upstream.absoluteString) }
  }

  package func signIn(as username: String) -> String {
    // Ostiary's style protects its logout with a token; the other styles log out at a GET of an address.
    let logout = configuration.style == .ostiary ? "logout-form" : "logout"
    return "ostiary login gateway --server \(address) --option \(logout)=\(names.logout) --user \(username.shellWord)"
  }

  package var routes: [Route] {
    var routes = [
      Route("/gateway", [.get: { try await home($0) }]),
      Route("/gateway/session", [.get: { try await session($0) }, .delete: { try await endSession($0) }]),
      Route("/gateway/continue", [.get: { try await askToContinue($0) }, .post: { try await continueHeld($0) }]),
      Route("/gateway/auth", [.get: { try await authorize($0, as: .plain) }]),
      Route("/gateway/auth/nginx", [.get: { try await authorize($0, as: .nginx) }]),
      Route("/gateway/challenge", [.get: { try await challengeForProxy($0) }]),
      Route(below: Self.envoyPrefix, receivers: relayed { request, _ in try await authorize(request, as: .envoy) }),
    ]
    if names.loginPage == names.loginForm {
      routes.append(
        Route(names.loginPage, [.get: { try await loginPage($0) }, .post: { try await submitLogin($0) }]))
    } else {
      routes.append(Route(names.loginPage, [.get: { try await loginPage($0) }]))
      routes.append(Route(names.loginForm, [.post: { try await submitLogin($0) }]))
    }
    routes.append(Route(names.logout, [.get: { try await logoutPage($0) }, .post: { try await submitLogout($0) }]))
    if let path = configuration.resourcesPath {
      for resource in GatewayResource.allCases {
        let handler: Route.Handler = { request in try await protect(request, nil, .resource(resource)) }
        routes.append(
          Route(
            path + "/" + resource.rawValue, Dictionary(uniqueKeysWithValues: resource.methods.map { ($0, handler) })))
      }
    }
    for map in parts.upstreams?.junctions ?? [] {
      let receivers = relayed { request, body in try await protect(request, body, .upstream(map)) }
      routes.append(Route(below: map.junction.segments, receivers: receivers))
    }
    return routes
  }

  /// The longest login form that is read, in bytes, at an upstream's path.
  private static let mostFormBytes = 16 << 10
  static let envoyPrefix = ["gateway", "auth", "envoy"]
  /// HEAD is routed like GET.
  private static let relayedMethods: [HTTPRequest.Method] = [.get, .post, .put, .patch, .delete, .options]

  private func relayed(_ handler: @escaping Route.StreamHandler) -> [HTTPRequest.Method: Route.Receiver] {
    Dictionary(uniqueKeysWithValues: Self.relayedMethods.map { ($0, .relayed(handler)) })
  }

  // MARK: Who it is

  /// The user of the session that the cookies name.
  func visitor(of request: DoorRequest) async throws(ServerError) -> GatewayVisitor {
    if let visitor = try await room.visitor(of: request) { return .user(visitor.user, proof: visitor.proof) }
    return request.cookies(named: names.session).isEmpty ? .nobody : .stale
  }

  // MARK: What is behind it

  /// The target of a path.
  enum Content: Sendable {
    case resource(GatewayResource)
    case upstream(JunctionMap)
  }

  /// The target of a path; nil if there is none.
  func content(at path: String) -> Content? {
    guard let parts = PathParts(path) else { return nil }
    let segments = parts.decoded
    if let folder = configuration.resourcesPath?.byteParts(at: "/").filter({ !$0.isEmpty }).map(String.init),
      parts.begin(with: folder), segments.count > folder.count,
      let resource = GatewayResource(rawValue: segments[folder.count]),
      segments.dropFirst(folder.count + 1).allSatisfy(\.isEmpty)
    {
      return .resource(resource)
    }
    return self.parts.upstreams?.junctions.filter { parts.begin(with: $0.junction.segments) }
      .max { $0.junction.segments.count < $1.junction.segments.count }.map(Content.upstream)
  }

  /// Passes a request with a session on, and challenges every other.
  func protect(_ request: DoorRequest, _ body: BodyStream?, _ content: Content) async throws -> DoorResponse {
    if let name = names.formAnywhere, request.method == .post, PathParts(request.path)?.decoded.last == name {
      return try await submitLogin(try await request.reading(body, upTo: Self.mostFormBytes))
    }
    let visitor = try await visitor(of: request)
    guard case .user(let user, let proof) = visitor else {
      if case .upstream(let map) = content, publicPaths.contains(request.path), let upstreams = parts.upstreams {
        return await upstreams.relay(request, body, to: map, user: nil, at: origin)
      }
      return try await challenge(request, visitor, body)
    }
    guard admission.admits(user) else { return try await refused(user, request) }
    // A hint: without it almost every request would ask the database for nothing.
    if request.method == .get, !request.cookies(named: cookies.held).isEmpty,
      let held = try await parts.held.take(
        session: GatewayCookies.sessionID(of: proof), browser: room.knownBrowser(of: request),
        target: request.target, now: now)
    {
      return try await answer(request.replaying(held), nil, content, user)
    }
    return try await answer(request, body, content, user)
  }

  /// Answers a request of a user.
  func answer(
    _ request: DoorRequest, _ body: BodyStream?, _ content: Content?, _ user: User
  ) async throws -> DoorResponse {
    switch content {
    case .resource(let resource) where resource.methods.contains(request.method) || request.method == .head:
      return try await resource.answer(request, user: user, identity: parts.identity, count: postCount)
    case .upstream(let map):
      guard let upstreams = parts.upstreams else { break }
      return await upstreams.relay(request, body, to: map, user: user, at: origin)
    case .resource, nil: break
    }
    return .failure(.notFound, .nothingHere, for: request)
  }

  /// The answer to a user with a session who is not admitted.
  func refused(_ user: User, _ request: DoorRequest) async throws -> DoorResponse {
    try await users.storage.noteRefusal(AuditEvent(.admissionRefused, .notOnTheList, user: user.id), at: now)
    return notAdmitted(request)
  }

  func notAdmitted(_ request: DoorRequest) -> DoorResponse {
    .failure(.forbidden, .notAdmitted, for: request)
  }
}

extension DoorRequest {
  /// The request with the unread part of its body.
  /// - Throws: `BodyProblem`.
  fileprivate func reading(_ stream: BodyStream?, upTo limit: Int) async throws -> DoorRequest {
    guard let stream else { return self }
    var bytes = body
    try await stream.read(upTo: limit) { bytes.append(contentsOf: $0.readableBytesView) }
    return asking(for: target, method: method, headers: headers, body: bytes)
  }

  /// The form held back, as a request of its sender.
  func replaying(_ held: HeldRequest) -> DoorRequest {
    var headers = headers
    headers[.contentType] = held.contentType
    return asking(
      for: held.target, method: HTTPRequest.Method(held.method) ?? .post, headers: headers, body: Array(held.body))
  }

  /// The same client's request for another target.
  func asking(for target: String, method: HTTPRequest.Method, headers: HTTPFields, body: [UInt8]) -> DoorRequest {
    let path = target.bytePrefix(before: "?")
    let query = target.utf8.dropFirst(path.utf8.count + 1)
    return DoorRequest(
      method: method, path: String(path), query: FormFields(encoded: query) ?? .none, headers: headers, body: body,
      parameters: [:], clientAddress: clientAddress, id: id, target: target, authority: authority,
      isFromTrustedProxy: isFromTrustedProxy)
  }
}
