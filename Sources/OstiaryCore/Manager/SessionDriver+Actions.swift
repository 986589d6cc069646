internal import Foundation
internal import HTTPTypes

// What the machine asks for, done.
extension SessionDriver {
  func perform(_ action: Action) {
    switch action {
    // These follow the events.
    case .tell, .wake, .finishSignOut: break
    case .claim(let ticket): claim(ticket)
    case .release: withKept { $0.held.take() }?.release()
    case .read(let ticket): atStore { await self.read(ticket) }
    case .save(let ticket, let known, let alternatives, let claim, let expectation):
      atStore { await self.save(ticket, known, alternatives, claim, expectation) }
    case .writeEnded(let ticket, let entry, let expectation):
      atStore { await self.writeEnded(ticket, entry, expectation) }
    case .ask(let ticket, let job, let previous, let error): ask(ticket, job, previous, error)
    case .exchange(let ticket, let job, let known): exchange(ticket, job, known)
    case .identify(let ticket, let job): identify(ticket, job)
    case .renew(let ticket, let job, let known): renew(ticket, job, known)
    case .verify(let ticket, let known): verify(ticket, known)
    case .prepare(let ticket, let job, let base, let over, let isRenewal):
      Task.detached { self.prepareGrant(ticket, job, base, over, isRenewal: isRenewal) }
    case .discard: discard()
    case .forget(let job):
      withdraw(
        withKept { kept in
          kept.orders[job.owner] = nil
          kept.given = nil
          if !kept.machine.hasGrant { kept.grant = nil }
          return kept.question.take()
        })
    case .forgetCredential: withKept { $0.credential = nil }
    case .endAtServer(let sessions): endLate(sessions.map(\.prepared.session))
    case .endReplaced(let sessions): endReplaced(sessions.map(\.prepared.session))
    case .schedule(let timer, let wait): schedule(timer, wait)
    case .unschedule(let timer): withKept { $0.timers.removeValue(forKey: timer)?.task }?.cancel()
    }
  }

  // MARK: Timers

  private func schedule(_ timer: SessionTimer, _ wait: Duration) {
    let earlier = withKept { kept -> Task<Void, Never>? in
      kept.lastTimer &+= 1
      let number = kept.lastTimer
      let task = Task.detached { [weak self, clock] in
        do { try await clock.sleep(for: wait) } catch { return }
        self?.step(.timePassed(timer)) { kept in
          guard kept.timers[timer]?.number == number else { return false }
          kept.timers[timer] = nil
          return true
        }
      }
      return kept.timers.updateValue((number, task), forKey: timer)?.task
    }
    earlier?.cancel()
  }

  // MARK: The store

  /// Holds the store's exclusive access in a body that ends at *release*.
  private func claim(_ ticket: Ticket) {
    Task.detached { [self] in
      let held = HeldAccess()
      do {
        try await store.withExclusiveAccess(to: key, patience: configuration.patience) {
          withKept { $0.held = held }
          step(.claimed(ticket))
          await held.run()
        }
      } catch {
        step(.claimFailed(ticket, Self.wrap(error)))
      }
    }
  }

  /// Runs a store action: with exclusive access, where it is held.
  private func atStore(_ work: @escaping HeldAccess.Work) {
    if withKept({ $0.held })?.submit(work) == true { return }
    Task.detached { await work() }
  }

  private func read(_ ticket: Ticket) async {
    let stamp = store.stamp(of: key)
    switch await store.load(key) {
    case .absent: step(.storeRead(ticket, StoreContent(entry: .absent, stamp: stamp)))
    case .unavailable(let error) where error.code == .storeCorrupt:
      step(.storeRead(ticket, StoreContent(entry: .damaged)))
    case .unavailable(let error): step(.storeUnavailable(ticket, error))
    case .present(let data):
      guard let entry = try? SessionCodec.decodeEntry(data) else {
        return step(.storeRead(ticket, StoreContent(entry: .damaged, data: data)))
      }
      var content = StoreContent<PreparedSession>(entry: .absent, data: data, stamp: stamp)
      content.claim = entry.claim.flatMap { $0.process?.hasEnded == true ? nil : $0 }
      if let ended = entry.ended { content.entry = .ended(ended) }
      if let session = entry.session {
        var known = prepare(session, issuedUptime: entry.issuedUptime, begun: entry.begun)
        known.trail = entry.trail
        var version = session.version
        let others = entry.alternatives.map { jar in
          version = version.next
          var other = session.revised(version)
          other.proof.cookies = jar
          return prepare(other, issuedUptime: entry.issuedUptime, begun: entry.begun)
        }
        content.entry = .session(known, alternatives: others)
      }
      step(.storeRead(ticket, content)) { kept in
        kept.use.stored = entry.lastUsedAt
        if entry.session?.version.lineage != kept.machine.session.known?.lineage { kept.use.last = nil }
        return true
      }
    }
  }

  private func save(
    _ ticket: Ticket, _ known: Known, _ alternatives: [Known], _ claim: RenewalClaim?, _ expectation: StoreExpectation
  ) async {
    let now = clock.now
    let use = withKept { kept in
      // Signing in and renewing are uses, too.
      kept.machine.session.known?.lineage == known.lineage ? kept.use.date(at: now) : known.prepared.session.issuedAt
    }
    do {
      let data = try SessionCodec.encode(
        StoredEntry(
          session: known.prepared.session, lastUsedAt: use, issuedUptime: known.issued.uptime, begun: known.begun,
          alternatives: alternatives.map(\.prepared.session.proof.cookies), claim: claim, trail: known.trail))
      let stamp = try await store.saveStamped(data, for: key, replacing: expectation)
      step(.written(ticket, data, stamp)) { kept in
        kept.use.stored = use
        return true
      }
    } catch {
      step(.writeFailed(ticket, Self.wrap(error)))
    }
  }

  private func writeEnded(_ ticket: Ticket, _ entry: EndedEntry, _ expectation: StoreExpectation) async {
    do {
      let data = try SessionCodec.encode(StoredEntry(ended: entry))
      try await store.end(key, with: data, ifHolding: expectation)
      step(.written(ticket, data, nil))
    } catch {
      step(.writeFailed(ticket, Self.wrap(error)))
    }
  }

  // MARK: The server

  private func ask(_ ticket: Ticket, _ job: Job, _ previous: Known?, _ error: OstiaryError?) {
    guard case .onRequest(let ask) = credentials, case .ensure(let cause, _) = job.need else { return }
    let request = CredentialRequest(
      kind: authenticator.kind, previousUser: previous?.user, cause: job.reason?.sessionCause ?? cause,
      previousError: error)
    let body: @Sendable () async -> Void = { [self] in
      do {
        let credential = try await ask(request)
        step(.credentialGiven(ticket)) { kept in
          guard kept.machine.workTicket == ticket else { return false }
          kept.given = credential
          return true
        }
      } catch {
        let declined = OstiaryError(
          .interactionCancelled, "Signing in was declined.", requestMayHaveExecuted: false,
          underlying: error is CancellationError ? nil : error)
        step(.declined(ticket, (error as? OstiaryError) ?? declined))
      }
    }
    // Under the lock, so that it can't be over before it is noted.
    withKept { kept in
      let question = Task.detached { [self, earlier = kept.lastAsked] in
        // An app that ignores a cancellation still asks a person. Another question beside that one would confuse them; one that
        // is never answered must not keep the next from being asked.
        if let earlier { await withPatience(for: earlier) }
        guard withKept({ $0.machine.workTicket == ticket }) else { return }
        await body()
      }
      kept.question = Question(task: question)
      kept.lastAsked = question
    }
  }

  private func exchange(_ ticket: Ticket, _ job: Job, _ known: Known?) {
    let (given, order, signOuts) = withKept { kept -> (Credential?, Order, UInt64) in
      let order = kept.orders[job.owner] ?? Order()
      // What a challenge holds may be used up by the second attempt.
      kept.orders[job.owner]?.challenge = nil
      let given = job.need.isSignIn ? order.credential : kept.given ?? kept.credential ?? credentials.byHandler
      return (given, order, kept.machine.signOuts)
    }
    // Decided now: what is kept may have been given for another credential since the sign-in was asked for.
    if job.need.isSignIn, keepsGrant(for: order) {
      return step(.exchanged(ticket, isIdentified: false, isKept: true))
    }
    if let grant = order.grant {
      return keep(grant, for: nil, ticket, .exchanged(ticket, isIdentified: !grant.needsIdentification))
    }
    // The credential has been taken back meanwhile, with the caller or by an ending.
    guard let credential = given else { return step(.failed(ticket, Failure(error: Machine.signedOutMeanwhile))) }
    let layer = layer()
    // Where no call ends a session at the server, an answer is of no use that comes after the sign-in has been given up.
    let exchange = authenticator is any AuthenticatorWithoutEnd ? nil : ExchangeTransport(layer)
    let context = AuthenticationContext(
      transport: exchange ?? layer, clock: clock, logger: logger, challenge: order.challenge,
      previous: known?.prepared.session,
      challengedAddress: order.challengedAddress)
    let body: @Sendable () async -> Void = { [self] in
      let result: Result<SessionGrant, any Error>
      do {
        result = .success(try await authenticator.signIn(with: credential, in: context))
      } catch {
        result = .failure(error)
      }
      exchange?.close()
      switch result {
      case .success(let grant):
        let input = Input.exchanged(ticket, isIdentified: !grant.needsIdentification)
        keep(grant, for: credential, ticket, input, handedOverAfter: credential.isHandedOver ? signOuts : nil)
      case .failure(let error): step(.failed(ticket, failure(error, layer, mayRepeat: credential.mayRepeat)))
      }
    }
    // A handler that asks a person is told when it is too late, and a credential that has not left yet stays here.
    withKept { $0.question = Question(task: Task.detached { await body() }, exchange: exchange) }
  }

  private func identify(_ ticket: Ticket, _ job: Job) {
    let (kept, address) = withKept { ($0.grant, $0.orders[job.owner]?.challengedAddress) }
    guard let kept else {
      return step(.failed(ticket, Failure(error: Machine.interactionRequired(nil))))
    }
    let layer = layer()
    let context = AuthenticationContext(
      transport: layer, clock: clock, logger: logger, challengedAddress: address)
    Task.detached { [self] in
      do {
        var grant = try await authenticator.identify(kept.grant, in: context)
        grant.needsIdentification = false
        keep(grant, for: kept.credential, ticket, .exchanged(ticket, isIdentified: true))
      } catch {
        step(.failed(ticket, failure(error, layer) { _ in true }))
      }
    }
  }

  private func renew(_ ticket: Ticket, _ job: Job, _ known: Known) {
    let layer = layer()
    Task.detached { [self] in
      do {
        switch try await renewal(known.prepared.session, for: job.need, in: context(for: layer)) {
        case .needsCredential: step(.notRenewable(ticket))
        case .renewed(let grant):
          let input = Input.renewed(
            ticket, isUnjudged: grant.needsJudgement, isJudged: grant.isJudgement, droppedPart: grant.droppedPart)
          keep(grant, for: nil, ticket, input)
        }
      } catch {
        step(.failed(ticket, failure(error, layer, mayRepeat: \.isRepeatableRenewal)))
      }
    }
  }

  private func renewal(_ session: Session, for need: Need, in context: AuthenticationContext) async throws -> Renewal {
    if case .newer(_, let part?) = need, let authenticator = authenticator as? any AuthenticatorWithParts {
      return try await authenticator.renew(session, part: part, in: context)
    }
    return try await authenticator.renew(session, in: context)
  }

  /// Keeps what the server gave, or ends it at the server if it comes too late.
  /// - Parameter signOuts: How often a user had signed out when the caller handed the proof over. It is ended only when the user has
  ///   signed out since: it may be in use elsewhere.
  private func keep(
    _ grant: SessionGrant, for credential: Credential?, _ ticket: Ticket, _ input: Input,
    handedOverAfter signOuts: UInt64? = nil
  ) {
    let moment = clock.moment
    var unwanted: SessionGrant? = grant
    let isInTime = step(input) { kept in
      guard kept.machine.workTicket == ticket else { return false }
      unwanted = kept.grant?.grant
      // What was identified, or has been handed over again, is the same grant as before.
      if case .identifying = kept.machine.work.stage { unwanted = nil }
      if unwanted?.proof == grant.proof { unwanted = nil }
      // What this work has renewed before is the grant that is judged now, or was used up by another process that has judged it.
      if !kept.machine.hasGrant, case .renewing = kept.machine.work.stage { unwanted = nil }
      kept.grant = KeptGrant(grant: grant, moment: moment, credential: credential)
      return true
    }
    if !isInTime, let signOuts, withKept({ $0.machine.signOut == nil && $0.machine.signOuts == signOuts }) { return }
    if let unwanted { discard(unwanted) }
  }

  private func failure(
    _ error: any Error, _ layer: LayerTransport, mayRepeat: (OstiaryError) -> Bool
  ) -> Failure {
    let error = Self.wrap(error)
    // What comes out of a lower layer is never terminal for this one.
    let isLowerLayer = layer.failure.map { !$0.isTransient } ?? false
    return Failure(error: error, isLowerLayer: isLowerLayer, mayRepeat: mayRepeat(error))
  }

  private func verify(_ ticket: Ticket, _ known: Known) {
    Task.detached { [self] in
      do {
        switch try await verify(known) {
        case .valid: step(.verified(ticket, isValid: true, reason: ""))
        case .invalid(let reason): step(.verified(ticket, isValid: false, reason: reason))
        }
      } catch {
        step(.verificationFailed(ticket, Self.wrap(error)))
      }
    }
  }

  /// Asks the server; what its answers bring is absorbed like any other response's.
  func verify(_ known: Known) async throws -> Verification {
    let layer = layer()
    let verification = try await authenticator.verify(known.prepared.session, in: context(for: layer))
    if case .valid = verification {
      for (request, response) in layer.answers {
        await absorb(response, to: request, version: known.version, isFromLayer: true)
      }
    }
    return verification
  }
}

extension CredentialSource {
  /// What stands for a credential where handlers ask for it.
  fileprivate var byHandler: Credential? { if case .byHandler = self { .byHandler } else { nil } }
}

extension Credential {
  var isByHandler: Bool { if case .byHandler = self { true } else { false } }

  /// Whether the server gave what it holds before, to the caller itself.
  fileprivate var isHandedOver: Bool { if case .proof = self { true } else { false } }

  /// Whether showing the credential again is harmless after this failure.
  fileprivate func mayRepeat(_ error: OstiaryError) -> Bool {
    switch self {
    case .password, .byHandler: true
    case .proof: error.isRepeatable
    case .request(let request): request.replay.allows(request.head.method, mayHaveExecuted: !error.isRepeatable)
    }
  }
}

extension OstiaryError {
  /// Whether the server can't have acted on the request: it was not reached, or said that it can't answer now.
  fileprivate var isRepeatable: Bool {
    switch code {
    case .cannotConnect, .hostNotFound, .tlsFailed, .serverUnavailable, .captivePortal: true
    default: !requestMayHaveExecuted
    }
  }

  /// Whether a renewal may be tried again at once. After a lost answer it may: a server that repeats the successor gives it,
  /// and nothing is lost at one that doesn't. After an answer that can't be read it may not: the server has acted.
  fileprivate var isRepeatableRenewal: Bool {
    switch code {
    case .unreadableAnswer, .unexpectedResponse, .malformedResponse, .responseTooLarge: isRepeatable
    default: true
    }
  }
}
