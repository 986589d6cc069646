import Foundation
import Testing

@testable import OstiaryCore

/// A machine that is given one input after another.
struct MachineProbe {
  typealias Known = KnownSession<TestProof>
  typealias Action = SessionAction<TestProof>

  var machine: SessionMachine<TestProof>
  var elapsed = 0.0
  var actions: [Action] = []

  init(
    accessCanBeLost: Bool = false, source: SessionSettings.Source = .manual, signInPatience: Duration? = nil
  ) {
    var settings = SessionSettings()
    settings.signInPatience = signInPatience
    settings.source = source
    settings.accessCanBeLost = accessCanBeLost
    settings.writer = MachineWorld.lineage(9)
    machine = SessionMachine(settings: settings)
  }

  mutating func step(_ input: SessionInput<TestProof>) {
    let uptime = Uptime(boot: "boot", seconds: elapsed)
    actions = machine.step(
      input, at: Moment(wall: Date(timeIntervalSince1970: elapsed), uptime: uptime), jitter: 1)
  }

  /// The ticket of what the last step asked for.
  func ticket() throws -> Ticket {
    try #require(
      actions.lazy.compactMap { action -> Ticket? in
        switch action {
        case .claim(let ticket), .read(let ticket), .save(let ticket, _, _, _, _), .renew(let ticket, _, _),
          .verify(let ticket, _), .prepare(let ticket, _, _, _, _), .exchange(let ticket, _, _),
          .ask(let ticket, _, _, _), .writeEnded(let ticket, _, _), .identify(let ticket, _):
          ticket
        default: nil
        }
      }.first, "\(actions)")
  }

  mutating func read(_ known: Known, others: [Known] = [], claim: RenewalClaim? = nil) throws {
    step(.storeRead(try ticket(), Self.content(known, others: others, claim: claim)))
  }

  /// The ticket of the reading that the last step asked for, beside other things.
  var readTicket: Ticket? { actions.lazy.compactMap { if case .read(let ticket) = $0 { ticket } else { nil } }.first }

  /// The ended entry that the last step writes.
  var endedEntry: EndedEntry? {
    actions.lazy.compactMap { if case .writeEnded(_, let entry, _) = $0 { entry } else { nil } }.first
  }

  /// What another process has left of a sign-in: a refusal of these proofs, or the user's sign-out.
  static func ended(_ lineage: UUID, refused: [Known] = [], begun: Double? = nil) -> StoreContent<TestProof> {
    let entry = EndedEntry(
      lineage: lineage, cause: refused.isEmpty ? .requestedByApp : .rejectedByServer,
      date: Date(timeIntervalSince1970: 5), refused: Set(refused.map(\.digest)), begun: begun.map(MachineWorld.moment))
    return StoreContent(entry: .ended(entry), data: Data("ended by another".utf8))
  }

  mutating func readNothing() throws { step(.storeRead(try ticket(), StoreContent(entry: .absent))) }

  static func content(_ known: Known, others: [Known] = [], claim: RenewalClaim? = nil) -> StoreContent<TestProof> {
    StoreContent(entry: .session(known, alternatives: others), data: MachineWorld.data(known), claim: claim)
  }

  /// The server has refused the renewal.
  mutating func refuse(_ ticket: Ticket) {
    step(.failed(ticket, Failure(error: OstiaryError(.invalidCredentials, "No."))))
  }

  mutating func fail(_ ticket: Ticket) { step(.writeFailed(ticket, OstiaryError(.storeUnavailable, "Locked."))) }

  /// Begins a sign-in and lets the exchange go to the server, with the store holding a session past its date, or nothing.
  mutating func exchanging(over known: Known?) throws -> Ticket {
    step(.needed(.signIn(byHandler: false), caller: 11, stamp: nil))
    if let known { try read(known) } else { try readNothing() }
    step(.claimed(try ticket()))
    if let known { try read(known) } else { try readNothing() }
    return try ticket()
  }

  mutating func written(_ known: Known) throws { step(.written(try ticket(), MachineWorld.data(known), nil)) }

  /// Knows the session, and has asked the server to renew it.
  mutating func renewing(_ known: Known) throws -> Ticket {
    step(.needed(.restore, caller: 1, stamp: nil))
    try read(known)
    elapsed += 20
    step(.needed(.ensure(.neededByRequest, failures: nil), caller: 2, stamp: nil))
    try read(known)
    step(.claimed(try ticket()))
    try read(known)
    try written(known)
    return try ticket()
  }

  mutating func cookie(_ new: Known, over known: Known) {
    step(.changed(new, over: known, isProof: true, shown: known.digest, waiter: nil))
  }

  var saves: Bool { actions.contains { if case .save = $0 { true } else { false } } }
  var prepares: Bool { actions.contains { if case .prepare = $0 { true } else { false } } }
  var discards: Bool { actions.contains(.discard) }
  var asks: Bool { actions.contains { if case .ask = $0 { true } else { false } } }
  var renews: Known? { actions.lazy.compactMap { if case .renew(_, _, let known) = $0 { known } else { nil } }.first }
  /// What the server is told of, now or when those who signed out are told.
  var endsAtServer: [Known] {
    actions.flatMap { action -> [Known] in
      switch action {
      case .endAtServer(let sessions), .finishSignOut(_, let sessions, _): sessions
      default: []
      }
    }
  }

  /// What a caller was told, if it was: whether it went well.
  func woke(_ caller: UInt64) -> Bool? {
    actions.lazy.compactMap { action -> Bool? in
      guard case .wake(caller, let result) = action else { return nil }
      if case .success = result { return true }
      return false
    }.first
  }

  /// A machine whose user has just signed in, which could not be written.
  static func signedInUnsaved(_ own: Known) throws -> MachineProbe {
    var probe = MachineProbe()
    probe.elapsed = 10
    probe.step(.needed(.signIn(byHandler: false), caller: 1, stamp: nil))
    probe.step(.storeRead(try probe.ticket(), StoreContent(entry: .absent)))
    probe.step(.claimed(try probe.ticket()))
    probe.step(.storeRead(try probe.ticket(), StoreContent(entry: .absent)))
    probe.step(.exchanged(try probe.ticket(), isIdentified: true))
    probe.step(.prepared(try probe.ticket(), own))
    probe.step(.writeFailed(try probe.ticket(), OstiaryError(.storeUnavailable, "Locked.")))
    #expect(probe.machine.session.usable?.digest == own.digest)
    probe.elapsed = 30
    return probe
  }
}
