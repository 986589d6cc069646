internal import Foundation
internal import HTTPTypes
internal import Logging
internal import OstiaryCore

/// The sessions of a profile and of the gateways in front of it, to ask about: nothing renews, signs in, ends or writes to the
/// journal here. Newer cookies that an answer brings are stored, as with every request.
struct DoctorStack: Sendable {
  struct Layer: Sendable {
    let profile: Profile
    let authenticator: AskingAuthenticator
    let manager: SessionManager
    /// How requests reach its server: through the gateways before it, without a session of its own.
    let way: any Transport
  }

  /// The gateways, the outermost first, and the profile itself.
  let layers: [Layer]
  /// The PEM file with certificates to trust besides the system's.
  let certificateFile: String?
  private let transport: CommandTransport

  init(
    _ profile: Profile, in book: ProfileBook, folders: Folders, environment: CommandEnvironment, logger: Logger,
    timeout: Duration?
  ) throws {
    let profiles = try book.gateways(before: profile) + [profile]
    certificateFile = profiles.reversed().lazy.compactMap(\.certificateFile).first
    // A file that can't be read is a finding of its own, about TLS.
    transport =
      try (try? CommandTransport(trusting: certificateFile, timeout: timeout)) ?? CommandTransport(timeout: timeout)
    var configuration = SessionConfiguration()
    configuration.storePatience = .zero
    var way: any Transport = transport
    var layers: [Layer] = []
    for profile in profiles {
      let kind = try ServerKinds.kind(of: profile, in: environment)
      let authenticator = AskingAuthenticator(try kind.authenticator(for: profile, in: environment, over: way))
      let manager = SessionManager(
        authenticator: authenticator, transport: way, credentials: .manual, store: folders.sessions,
        key: profile.sessionKey, configuration: configuration, clock: environment.clock, logger: logger)
      layers.append(Layer(profile: profile, authenticator: authenticator, manager: manager, way: way))
      way = AuthenticatedTransport(manager)
    }
    self.layers = layers
  }

  func close() async { await transport.close() }
}

/// A request that a stranger could have sent, and its answer.
struct DoctorExchange: Sendable {
  let request: TransportRequest
  let response: TransportResponse
  /// When the answer came.
  let arrival: Date
  let duration: Duration

  /// Asks for a layer's server without a session at it, and reads as much as telling a challenge takes.
  static func make(with layer: DoctorStack.Layer, _ environment: CommandEnvironment) async throws -> DoctorExchange {
    let request = try TransportRequest.get(layer.profile.server)
    let start = ContinuousClock.now
    let stream = try await layer.way.stream(request)
    let (arrival, duration) = (environment.clock.now, ContinuousClock.now - start)
    let needed = layer.authenticator.bodyNeeded(toJudge: stream, to: request)
    var body = Data()
    if needed > 0 {
      for try await piece in stream.body {
        body += piece
        if body.count >= needed { break }
      }
    }
    return DoctorExchange(
      request: request, response: TransportResponse(stream.head, body: body, url: stream.url), arrival: arrival,
      duration: duration)
  }

  /// What the answer means for the layer. A redirect that has no sign of a challenge may lead to a page that has one.
  func verdict(of layer: DoctorStack.Layer, _ environment: CommandEnvironment) async throws -> Verdict {
    let verdict = layer.authenticator.inner.judge(response, to: request)
    guard verdict == .accepted, response.status.kind == .redirection else { return verdict }
    var jar = CookieJar()
    let context = AuthenticationContext(transport: layer.way, clock: environment.clock)
    let page = try await context.exchange(request, jar: &jar)
    return layer.authenticator.inner.judge(page, to: try .get(page.url ?? layer.profile.server))
  }
}
