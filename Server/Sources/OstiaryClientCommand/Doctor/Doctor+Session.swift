internal import Foundation
internal import OstiaryCore

/// The check of the session.
extension Doctor {
  /// Reads the session, and asks the server about it as its kind does.
  func checkSession(_ facts: Facts) async -> DoctorFinding {
    guard let layer = facts.stack?.layers.last, let folders = facts.folders else {
      return .skipped(.session, because: .noProfile)
    }
    let mask = facts.mask
    let stored: Session
    switch await layer.manager.restore() {
    case .signedIn(let session): stored = session
    case .unknown(let error): return failed(.session, error, mask)
    case .signedOut:
      let end = EventJournal(folders).lastEnd(of: layer.profile.name)
      let why = end.map { mask.text(layer.profile.words(for: $0)) }
      return .failed(.session, .noSession(why: why), .signedOut)
    }
    if let end = stored.expiresAt, end < environment.clock.now {
      return .warning(.session, .sessionExpired(until: Timestamp.text(end)))
    }
    let age = Timestamp.age(of: stored.issuedAt, at: environment.clock.now)
    guard facts.canAskServer else { return .notNeeded(.session, .sessionStored(since: age)) }
    let status = await layer.manager.verify()
    switch (layer.authenticator.verification, status) {
    case (.invalid(let reason)?, _):
      return .failed(.session, .sessionRefused(reason: mask.text(reason).withoutEndingStop), .signedOut)
    case (.valid?, _):
      return .good(.session, .sessionAccepted(since: age, until: stored.expiresAt.map { Timestamp.text($0) }))
    case (nil, .unknown(let error)) where error.code == .onlyAsks:
      let gateway = mask.text(layer.profile.behind ?? layer.profile.name)
      return .failed(.session, .gatewaySessionOver(profile: gateway), .signedOut)
    case (nil, .unknown(let error)) where error.code == .nothingToAsk:
      return .notNeeded(.session, .sessionStored(since: age))
    case (nil, .unknown(let error)): return failed(.session, error, mask)
    case (nil, _): return .failed(.session, .noSession(why: nil), .signedOut)
    }
  }
}

extension String {
  /// A reason for use within a sentence.
  fileprivate var withoutEndingStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
