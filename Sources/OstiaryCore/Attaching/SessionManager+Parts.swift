public import HTTPTypes

// Proof that some addresses of a session have for themselves.
extension SessionManager {
  /// A session whose proof for a request's address is good now. Where the address takes proof of its own, such as an access token that is
  /// made for one API, and there is none or its time is up, it is renewed: one exchange at a time for all that a session needs.
  /// - Throws: ``OstiaryError`` as ``session()``; `noProofForAddress` when the session's server gives none.
  public func session(for request: HTTPRequest) async throws -> Session {
    try await lookAgain()
    let isOfPart = driver.snapshot.usable?.prepared.attachment.part(for: request) != nil
    if !isOfPart { _ = try await usable(.ensure(.requestedByApp, failures: nil)) }
    let known = try await usable(for: request)
    noteUse(of: known.version)
    return known.prepared.session
  }

  /// Whether a part's proof is good now, as far as is known here.
  package func isUsable(_ part: ProofPart) -> Bool {
    guard let digest = part.digest, !parts.withLock({ $0.isRefused(digest) }) else { return false }
    return part.isFresh(at: driver.clock.now, margin: configuration.expiryMargin.seconds)
  }

  /// A session with good proof for an address, in which the session's other proof need not be good.
  func usable(for request: HTTPRequest) async throws -> SessionDriver.Known {
    let failures = driver.snapshot.failedSignIns
    var known = try await knownOrNew()
    var turns = 0
    while let part = known.prepared.attachment.part(for: request), !isUsable(part) {
      try Task.checkCancellation()
      // Each turn brings newer proof of a part: of this one as a rule, and of others that were asked for before.
      turns += 1
      let most = 2 * known.prepared.attachment.parts.count + configuration.maximumFreshRejections
      let now = driver.clock.moment
      let lineage = known.lineage
      let wait = parts.withLock { $0.pause(part.name, of: lineage, configuration, at: now) }
      guard turns <= most, wait == nil else {
        var error = OstiaryError(.challengedAgain, "The server keeps refusing the proof that is made for it.")
        if let wait { error.disposition = .transient(retryAfter: wait) }
        throw error.keeping(request)
      }
      do {
        try await driver.need(.newer(than: known.tokens, part: part.name))
      } catch let error as OstiaryError where error.code == .interactionRequired && driver.snapshot.usable == nil {
        // The server has refused the session. Whether the user may be asked, the app has said.
        if case .manual = driver.credentials { throw error }
        known = try await usable(.ensure(.rejectedByServer, failures: failures))
        continue
      }
      let next = try await knownOrNew()
      guard next.tokens != known.tokens else { throw OstiaryError.noProofForAddress.keeping(request) }
      known = next
      if let newer = known.prepared.attachment.part(for: request), newer.isSame(as: part), let digest = newer.digest,
        parts.withLock({ $0.isRefused(digest) })
      {
        let moment = driver.clock.moment
        parts.withLock { $0.repeated(part.name, givenAt: newer.givenAt, of: lineage, at: moment) }
        throw OstiaryError(.challengedAgain, "The server gives the same proof again, which was refused.")
          .keeping(request)
      }
    }
    return known
  }

  private func knownOrNew() async throws -> SessionDriver.Known {
    if let known = driver.snapshot.usable { return known }
    return try await usable(.ensure(.neededByRequest, failures: nil))
  }

  /// What a request carries of a part.
  func carriedPart(_ known: SessionDriver.Known, _ request: HTTPRequest) -> CarriedPart? {
    guard let part = known.prepared.attachment.part(for: request), let digest = part.digest else { return nil }
    return CarriedPart(name: part.name, digest: digest)
  }

  /// What the answer to a request of the app's means that was sent with a part's proof, where newer proof of some kind has come since: only
  /// what the request shows tells whether it is newer than this part's.
  func judge(
    _ response: TransportResponse, to request: TransportRequest, of part: ProofPart, carrying version: ProofVersion?
  ) -> Verdict {
    let verdict = authenticator.judge(response, to: request)
    let fields = part.attachment.fields
    let isShown = !fields.isEmpty && fields.allSatisfy { request.head.headerFields[$0.name] == $0.value }
    switch verdict {
    case .rejected(let reason, let mayHaveExecuted), .doubtful(let reason, let mayHaveExecuted):
      if isShown, let digest = part.digest { refuse(CarriedPart(name: part.name, digest: digest), of: version, reason) }
      return .rejected(reason: reason, mayHaveExecuted: mayHaveExecuted)
    case .accepted, .insufficient, .obstructed: return verdict
    }
  }

  /// The server has refused a part. The session is as good as before: the next request renews the part.
  func refuse(_ part: CarriedPart, of version: ProofVersion?, _ reason: String) {
    let now = driver.clock.moment
    let isNews = parts.withLock { $0.refuse(part, of: version?.lineage, at: now) }
    guard isNews, let session = driver.snapshot.state.known?.prepared.session,
      session.version.lineage == version?.lineage
    else { return }
    driver.tell(.rejected, .rejectedByServer, session, "\(part.name): \(reason)")
  }
}

extension OstiaryError {
  /// The session has no proof for an address, and gets none.
  package static var noProofForAddress: OstiaryError {
    OstiaryError(
      .noProofForAddress, "The session has no proof for this address, and its server gives none.",
      requestMayHaveExecuted: false)
  }
}
