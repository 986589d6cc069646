import OstiaryCore

/// What the Primer door delivers to apps, and what it stores.
public struct PrimerDoorConfiguration: Sendable {
  /// The clients that may use the stand-in for an app's own backend.
  ///
  /// It tells every client whether an e-mail address has an account, and makes an account for an address without a proof of
  /// ownership, as the backends of such apps do. The server's own pages do neither.
  public enum Backend: String, Sendable, Hashable, CaseIterable {
    /// No client: apps have another backend.
    case none
    /// Clients on this machine, as long as no other machine can reach the server.
    case onThisMachine = "loopback"
    /// Every client that can reach the server.
    case everywhere
  }

  /// The apps. By default one, with a derived token and the starter experience.
  public var apps = [PrimerApp()]
  /// The clients that may use the stand-in for an app's own backend. By default those on this machine.
  public var backend = Backend.onThisMachine
  /// Where apps get experiences, below the door's path.
  package var experiencePath = "/v1/experience"
  /// Where apps deliver events, below the door's path.
  package var eventsPath = "/v1/events"
  /// The header field with an app's token.
  package var tokenField = "X-Primer-Token"
  /// The most events that are kept; the oldest are removed first. 100,000 by default.
  package var mostEvents = 100_000
  /// The most bytes of all events; the oldest are removed first. 64 MiB by default.
  package var mostEventBytes = 64 << 20
  /// The most anonymous ids with a record; those without news for the longest time are removed first. 20,000 by default.
  package var mostIdentities = 20_000

  /// The defaults.
  public init() {}

  /// All problems of the configuration, one sentence each.
  package var problems: [String] {
    var problems: [String] = []
    if apps.isEmpty { problems.append("The Primer door needs an app.") }
    for (index, app) in apps.enumerated() {
      problems += app.problems.map { apps.count == 1 ? "Primer: \($0)" : "Primer, app \(index + 1): \($0)" }
    }
    // Two derived tokens are equal, too.
    let tokens = apps.flatMap { [$0.token] + $0.formerTokens.map(Optional.some) }
    if Set(tokens).count < tokens.count { problems.append("The Primer door's apps need tokens that differ.") }
    if mostEvents < 1 || mostIdentities < 1 { problems.append("The Primer door must keep an event and an identity.") }
    if mostEventBytes < 1 << 20 { problems.append("The Primer door's events must have room for 1 MiB.") }
    return problems
  }
}
