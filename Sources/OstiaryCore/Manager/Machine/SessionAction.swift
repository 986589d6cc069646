internal import Foundation

/// What the driver has to do. The machine does nothing itself.
enum SessionAction<Prepared: PreparedValue>: Sendable, Hashable {
  typealias Known = KnownSession<Prepared>

  case claim(Ticket)
  case release
  case read(Ticket)
  case save(Ticket, Known, alternatives: [Known], claim: RenewalClaim?, expecting: StoreExpectation)
  case writeEnded(Ticket, EndedEntry, expecting: StoreExpectation)
  case ask(Ticket, Job, previous: Known?, OstiaryError?)
  case exchange(Ticket, Job, Known?)
  case identify(Ticket, Job)
  case renew(Ticket, Job, Known)
  case verify(Ticket, Known)
  /// Make what the driver keeps for the job a session over the known one, which descends from the landing's base.
  case prepare(Ticket, Job, base: Known?, over: Known?, isRenewal: Bool)
  /// What the driver keeps of the work is of no use any more. A grant among it is ended at the server.
  case discard
  /// The job is done; what the driver keeps for it goes.
  case forget(Job)
  /// The credential that was given up front was refused.
  case forgetCredential
  case endAtServer([Known])
  /// Ends at the server what another user's session has replaced, unless that one shows the same cookies.
  case endReplaced([Known])
  /// Ends these at the server, and then answers who signed out.
  case finishSignOut([UInt64], [Known], OstiaryError?)
  case schedule(SessionTimer, Duration)
  case unschedule(SessionTimer)
  /// A caller has what it waits for: the session that the work signed in to, if it did.
  case wake(UInt64, Result<Known?, OstiaryError>)
  case tell(SessionEvent.Kind, Cause, Known?, String?)
}
