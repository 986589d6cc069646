import OstiaryCore

/// What the Primer door gives to apps, and what it keeps.
public struct PrimerDoorConfiguration: Sendable {
  /// Who may use the stand-in for an app's own backend.
  ///
  /// It tells everybody who asks whether an e-mail address has an account, and makes an account for an address without asking
  /// for proof that it is theirs: so do the backends of the apps that this is for. The server's own pages do neither.
  public enum Backend: String, Sendable, Hashable, CaseIterable {
    /// Nobody: apps have another one.
    case none
    /// Whoever is on this machine, as long as nobody else can reach the server.
    case onThisMachine = "loopback"
    /// Whoever can reach the server.
    case everywhere
  }

  /// The apps. By default one, with a token that is made and the starter experience.
  public var apps = [PrimerApp()]
  /// Who may use the stand-in for an app's own backend. Whoever is on this machine, by default.
  public var backend = Backend.onThisMachine
  /// Events that are kept; the oldest make room. 100,000 by default.
  package var mostEvents = 100_000
  /// What events may take in all, in bytes; the oldest make room. 64 MiB by default.
  package var mostEventBytes = 64 << 20
  /// Anonymous ids that something is known of; those that nothing was heard of for longest make room. 20,000 by default.
  package var mostIdentities = 20_000

  /// The defaults.
  public init() {}

  /// Everything that is wrong with it, a sentence each.
  package var problems: [String] {
    var problems: [String] = []
    if apps.isEmpty { problems.append("The Primer door needs an app.") }
    for (index, app) in apps.enumerated() {
      problems += app.problems.map { apps.count == 1 ? "Primer: \($0)" : "Primer, app \(index + 1): \($0)" }
    }
    // Two made ones are the same, too.
    if Set(apps.map(\.token)).count < apps.count { problems.append("The Primer door's apps need tokens that differ.") }
    if mostEvents < 1 || mostIdentities < 1 { problems.append("The Primer door must keep an event and an identity.") }
    if mostEventBytes < 1 << 20 { problems.append("The Primer door's events must have room for 1 MiB.") }
    return problems
  }
}
