internal import HTTPTypes

// What requests need of the manager besides a session.
extension SessionManager {
  /// How often a request may be sent again, and where it may be redirected to.
  var rules: RequestRun.Rules {
    RequestRun.Rules(
      maximumReplays: configuration.maximumReplays, maximumProofRepetitions: configuration.maximumProofRepetitions,
      redirects: configuration.redirects, mayAsk: mayAsk, stepsUp: stepUps.isPossible)
  }

  /// Whether a sign-in may ask a person or the app.
  private var mayAsk: Bool {
    switch driver.credentials {
    case .manual, .upFront: false
    case .onRequest, .byHandler: true
    }
  }

  /// Whether a request is for the server that this manager signs in to, before a session says so more exactly.
  func isHome(_ request: HTTPRequest) -> Bool {
    if Origin(request).map(homes.contains) == true { return true }
    return (authenticator as? any AuthenticatorWithParts)?.hasPart(for: request) == true
  }

  /// Whether a request goes to an origin of the session that is known or stored, good or not. Asks only the store.
  func knownSessionCovers(_ request: HTTPRequest) async -> Bool {
    _ = await restore()
    return driver.snapshot.state.known?.prepared.attachment.covers(request) == true
  }

  /// What is known for a request that needs no proof unless challenged: waits for what is under way, reads the store if
  /// that has not happened, and never begins a sign-in.
  /// - Throws: ``OstiaryError`` when a sign-in that it waited for ends without a session, or the store can't be read.
  func settled() async throws -> SessionDriver.Known? {
    try await driver.need(.settled)
    return driver.snapshot.usable
  }

  /// Gets a session after a server refused a proof, or demanded one.
  /// - Parameter carried: what the request carried. A sign-in that failed since it was sent has been heard by the person,
  ///   who is not asked again for a request from before.
  func session(after challenge: Challenge, _ carried: RequestRun.Carried) async throws {
    // The rest of the proof was not refused: the part is renewed when the request is sent again.
    if carried.part != nil { return }
    let cause: Cause = carried.version == nil ? .challenged : .rejectedByServer
    _ = try await usable(.ensure(cause, failures: carried.failedSignIns), .init(challenge: challenge))
  }

  /// Gets another sign-in after a server wanted a stronger or more recent one than a request carried.
  func stepUp(for challenge: Challenge, _ version: ProofVersion, failures: UInt64) async throws {
    // Another process may have asked the user.
    try await lookAgain()
    try await stepUps.stepUp(for: challenge, shown: version.lineage, failures: failures)
  }

  /// Draws the consequences of what a response means.
  /// - Parameter shown: the proof that a refusal is about: the one that was carried, or an older one if a redirect led
  ///   here.
  /// - Parameter parts: the parts that these are, where they are parts.
  /// - Parameter isOwn: whether the request went to an origin of the session, whose cookies are the session's.
  func note(
    _ verdict: Verdict, _ response: HTTPResponse, to request: TransportRequest, carrying version: ProofVersion?,
    after shown: ProofVersion?, parts: (carried: CarriedPart?, shown: CarriedPart?), isOwn: Bool
  ) async -> Verdict {
    switch verdict {
    case .accepted:
      guard let version else { break }
      if let part = parts.carried {
        // That says nothing of the rest.
        self.parts.withLock { $0.accept(part) }
      } else if let known = driver.snapshot.usable, known.isProof(shownAs: version) {
        noteAccepted(known)
      }
      if !isOwn { break }
      await driver.absorb(response, to: request.head, version: version, isFromLayer: request.layerContext.isFromLayer)
    case .obstructed, .insufficient:
      break
    case .rejected(let reason, _):
      if let part = parts.shown {
        refuse(part, of: shown, reason)
      } else if let shown {
        driver.step(.refused(shown, reason: reason))
      }
    case .doubtful(let reason, let mayHaveExecuted):
      if let part = parts.shown {
        // No server can be asked about it. That a portal has said it costs one renewal of the part.
        refuse(part, of: shown, reason)
        return .rejected(reason: reason, mayHaveExecuted: mayHaveExecuted)
      }
      // The server is asked before the session counts as refused. Where it can't be asked, the session is kept, and the
      // request gets the answer.
      if let shown {
        let confirmed = try? await driver.need(.confirm(shown))
        if let known = confirmed ?? nil, known.lineage == shown.lineage { return .accepted }
        if driver.snapshot.usable?.isProof(shownAs: shown) == true { return .accepted }
      }
      return .rejected(reason: reason, mayHaveExecuted: mayHaveExecuted)
    }
    return verdict
  }
}
