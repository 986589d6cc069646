internal import Foundation

/// How far the store is behind.
///
/// | State | Input | Next state |
/// |---|---|---|
/// | `clean` | cookies received, used | `waiting` or `due` |
/// | `clean` | a new session could not be written | `waiting` |
/// | `waiting` | time passed, flush, a renewal is needed | `due` |
/// | `due` | written | `clean` |
/// | `due` | write failed | `waiting` |
/// | any | signed out, newer session adopted | `clean` |
enum SessionWriting: Sendable, Hashable {
  /// The store has what is known here.
  case clean
  /// The store is behind; a timer runs.
  case waiting(WritingDebt)
  /// The store is behind and is written as soon as no other store action is under way.
  case due(WritingDebt)

  var debt: WritingDebt? {
    switch self {
    case .clean: nil
    case .waiting(let debt), .due(let debt): debt
    }
  }
  var isDue: Bool { if case .due = self { true } else { false } }
  /// Whether proof is not in the store yet.
  var owesProof: Bool { debt?.isProof == true }
  var owesContent: Bool { debt.map { $0.isProof || $0.isContent } ?? false }
}

/// What the store does not have yet.
struct WritingDebt: Sendable, Hashable {
  /// The proof in memory is newer than the stored one.
  var isProof = false
  /// Something else of the session is newer.
  var isContent = false
  /// What became of renewals is newer.
  var isTrail = false
  /// Exclusive access is kept until it is written.
  var holds = false
  /// How often writing has failed.
  var failures = 0
  /// How often the store has been read again because another process had changed it.
  var looks = 0
  /// Whether being behind has been told as an event.
  var isTold = false
}

/// A session that has ended, of which the store may not know yet.
struct EndingDebt<Prepared: PreparedValue>: Sendable, Hashable {
  var entry: EndedEntry
  /// When the user signed out without a session that was known here: what the store held then is ended, too.
  var endsBefore: Moment?
  /// What to end at the server, when the user signed out: one for each sign-in.
  var atServer: [AtServer] = []
  /// The event, told when the store has been written or could not be.
  var untold: KnownSession<Prepared>?
  var detail: String?
  /// A new session that a sign-out has overtaken while it was written.
  var discarded: KnownSession<Prepared>?
  /// Who waits for it.
  var callers: [UInt64] = []
  var failures = 0
  /// How often the store has been read again because another process had changed it.
  var looks = 0
  var phase = Phase.due
  /// The sign-ins of an earlier sign-out that the store may still hold.
  var signedOut: Set<UUID> = []
  /// Whether it is a sign-out by the user, who is also signed out at the server.
  var isSignOut: Bool { entry.refused.isEmpty }

  /// Whether a sign-in that is found is one that had been made when the user signed out. One that is certain to have begun
  /// later is another's; where clocks can't tell, a sign-out counts for more.
  func ends(_ begun: Moment?) -> Bool {
    guard let endsBefore else { return false }
    guard let begun else { return true }
    return !begun.isCertain(since: endsBefore) || begun.seconds(since: endsBefore) <= 0
  }

  /// Whether nothing of an earlier ending is in it.
  var owesNothingEarlier: Bool {
    endsBefore == nil && callers.isEmpty && isToldAll && signedOut.isEmpty && discarded == nil
  }

  enum Phase: Sendable, Hashable { case due, waiting, writing(Data?) }

  /// The newest proof of a sign-in, with those that may be as new.
  struct AtServer: Sendable, Hashable {
    var proofs: [KnownSession<Prepared>]
    /// Whether other processes have not seen it.
    var isOwed = false
    /// What the driver has been told of, or need not be: the server has refused it, or given newer proof for it.
    var told: Set<ProofDigest> = []
  }

  /// Whether there is nothing to end at the server that the driver has not been told.
  var isToldAll: Bool { atServer.allSatisfy { $0.told.isSuperset(of: $0.proofs.map(\.digest)) } }

  /// Adds what is to be ended at the server, unless newer proof of the sign-in is known.
  mutating func endAtServer(
    _ found: [KnownSession<Prepared>], isOwed: Bool = false, besides told: Set<ProofDigest> = []
  ) {
    var new = AtServer(proofs: found, isOwed: isOwed, told: told)
    if let index = atServer.firstIndex(where: { $0.proofs[0].lineage == found[0].lineage }) {
      let earlier = atServer[index]
      // Cookies raise the revision without making tokens newer.
      let age = earlier.proofs[0].issued.seconds(since: found[0].issued)
      guard age <= 0 else { return }
      new.told.formUnion(earlier.told)
      let isLater = found[0].version.isLater(than: earlier.proofs[0].version)
      if age == 0, earlier.isOwed || !isLater {
        // Cookies have no order: what another process was given may be as new.
        var seen: Set<ProofDigest> = []
        let both = isLater ? found + earlier.proofs : earlier.proofs + found
        new.proofs = both.filter { seen.insert($0.digest).inserted }
        new.isOwed = earlier.isOwed
      }
      atServer.remove(at: index)
    }
    atServer.insert(new, at: 0)
  }

  /// What the driver has to end at the server and has not been told yet.
  mutating func takeAtServer() -> [KnownSession<Prepared>] {
    let untold = atServer.flatMap { entry in entry.proofs.filter { !entry.told.contains($0.digest) } }
    for index in atServer.indices { atServer[index].told.formUnion(atServer[index].proofs.map(\.digest)) }
    return untold
  }
}

/// What a sign-out is about: the sign-in that was known when the app called it, or what was stored then where none was.
struct SignOutSubject<Prepared: PreparedValue>: Sendable, Hashable {
  let lineage: UUID?
  let since: Moment
  /// The session whose place a later sign-in has taken in the store, with those beside it.
  var replaced: [KnownSession<Prepared>] = []

  /// When what is ended had begun at the latest, where no session is known.
  var bound: Moment? { lineage == nil ? since : nil }

  /// Whether another has signed in, or the same user anew.
  func isOther(_ found: KnownSession<Prepared>) -> Bool {
    guard lineage == nil else { return found.lineage != lineage }
    guard let begun = found.begun else { return false }
    return begun.isCertain(since: since) && begun.seconds(since: since) > 0
  }
}

/// When no attempt is made, and what callers are told meanwhile.
///
/// | State | Input | Next state |
/// |---|---|---|
/// | `none` | failed, may pass; too many new sessions refused | `until` |
/// | `until` | an exchange succeeded, adopted, signed out, time passed | `none` |
enum SessionPause: Sendable, Hashable {
  case none
  case until(from: Moment, seconds: Double, OstiaryError)

  /// How many seconds are left; `nil` when attempts may be made. A clock that is set back ends the pause.
  func left(at now: Moment) -> (seconds: Double, error: OstiaryError)? {
    guard case .until(let from, let seconds, let error) = self else { return nil }
    let passed = now.seconds(since: from)
    return passed >= 0 && passed < seconds && now.wall >= from.wall ? (seconds - passed, error) : nil
  }
}
