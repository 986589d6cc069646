// What requests need of the manager besides a session.
extension SessionManager {
  /// What is known for a request that needs no proof unless challenged: waits for what is under way, reads the store if
  /// that has not happened, and never begins a sign-in.
  /// - Throws: ``OstiaryError`` when a sign-in that it waited for ends without a session, or the store can't be read.
  func settled() async throws -> SessionDriver.Known? {
    try await driver.need(.settled)
    return driver.snapshot.usable
  }

  /// Whether a sign-in may ask a person or the app.
  var mayAsk: Bool {
    switch driver.credentials {
    case .manual, .upFront: false
    case .onRequest, .byHandler: true
    }
  }

  /// Gets a session after a server refused a proof, or demanded one.
  /// - Parameter failures: how many sign-ins had failed for good when the request was sent. One that failed since has been
  ///   heard by the person, who is not asked again for a request from before.
  func session(after challenge: Challenge, isFirst: Bool, since failures: UInt64) async throws {
    _ = try await usable(
      .ensure(isFirst ? .challenged : .rejectedByServer, failures: failures), .init(challenge: challenge))
  }

  /// Whether a handler said that what was recognised is no challenge after all.
  static func isNoChallenge(_ error: any Error) -> Bool { (error as? OstiaryError)?.code == .notChallenged }
}

extension Credential {
  var isByHandler: Bool { if case .byHandler = self { true } else { false } }
}
