import CoreMetrics
package import Foundation
import Logging
import OstiaryCore
import Tracing

extension ServerConfiguration {
  /// The folder of the server's files; nil for a server that stores everything in memory.
  var folder: URL? { storage.folder }

  /// The settings of the identity service.
  var identity: IdentityConfiguration {
    var identity = IdentityConfiguration.standard
    identity.loginLimits = loginLimits
    if let parameters = development?.hashParameters { identity.hashParameters = parameters }
    if let policy = development?.passwordPolicy { identity.passwordPolicy = policy }
    if let workers = development?.hashWorkers { identity.hashWorkers = workers }
    if let queue = development?.hashQueue { identity.hashQueue = queue }
    return identity
  }

  /// Whether ``host`` is an address of this machine only.
  var isLoopback: Bool {
    Origin(scheme: "http", host: bareHost, port: nil)?.isLoopback ?? false
  }

  /// Whether no other machine can reach the server, according to the configuration.
  var isForThisMachineOnly: Bool {
    isLoopback && publicOrigin.flatMap(Origin.init(plain:))?.isLoopback ?? true
  }

  /// Whether a proxy ends TLS, and the configuration does not name it.
  var hasUnknownProxy: Bool {
    tls == nil && trustedProxies.isEmpty && publicOrigin.flatMap(Origin.init(plain:))?.isSecure == true
  }

  /// ``host`` without the brackets that an IPv6 address may have been written with.
  var bareHost: String {
    host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
  }

  /// Whether clients use https.
  var isSecure: Bool { origin(boundPort: 1)?.isSecure == true }

  /// Whether clients are told to use HTTPS for a year; never with a development certificate.
  var demandsTLS: Bool { tls != .developmentAuthority && isSecure }

  /// The origin that clients use, once the port is known.
  func origin(boundPort: Int) -> Origin? {
    if let publicOrigin { return Origin(plain: publicOrigin) }
    return Origin(scheme: tls == nil ? "http" : "https", host: bareHost, port: boundPort)
  }

  /// As ``origin(boundPort:)``.
  /// - Throws: ``ServerConfigurationError`` if there is none.
  func clientOrigin(boundPort: Int) throws(ServerConfigurationError) -> Origin {
    guard let origin = origin(boundPort: boundPort) else {
      throw ServerConfigurationError(problems: ["The server's own address is not usable as an origin."])
    }
    return origin
  }
}

/// What traces the requests.
extension ServerConfiguration {
  /// The tracer, and what sends its spans, where the server does that itself.
  func tracing(logger: Logger, metrics: any MetricsFactory) -> (SpanExporter?, (any Tracer)?) {
    if let tracer { return (nil, tracer) }
    guard let tracing, let url = tracing.url else { return (nil, nil) }
    let exporter = SpanExporter(
      url: url, node: tracing.node, stopTime: tracing.stopTime, logger: logger, metrics: metrics)
    return (exporter, OTLPTracer(exporter, ratio: Double(tracing.percent) / 100))
  }
}

/// Names that the doors share.
extension ServerConfiguration {
  /// The cookies of every door that is open.
  var cookieNames: ServerCookieNames {
    ServerCookieNames(doors.naming.flatMap { $0.imitatedCookies(isSecure: isSecure) })
  }

  /// The hosts that requests may name: in development this machine, and those that are configured.
  var servedHosts: ServedHosts {
    guard development != nil else { return ServedHosts(own: nil) }
    let configured = [publicOrigin].compactMap { $0 } + doors.naming.flatMap(\.servedOrigins)
    let own =
      configured.compactMap(Origin.init(plain:)) + [Origin(scheme: "http", host: bareHost, port: nil)].compactMap { $0 }
    return ServedHosts(own: Set(own.map(\.host)))
  }
}

extension ServerConfiguration.Storage {
  /// The folder of the server's files; nil for what is stored in memory.
  package var folder: URL? {
    switch self {
    case .memory: nil
    case .folder(let folder): folder
    case .postgreSQL(let database): database.folder
    }
  }
}
