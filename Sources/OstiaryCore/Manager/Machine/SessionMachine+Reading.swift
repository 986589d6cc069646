internal import Foundation

// What the store holds, and what becomes known of it.
extension SessionMachine {
  /// What a reading of the store changed.
  enum Settlement { case same, adopted, endedElsewhere, anotherUser }

  /// Takes over what the store holds, if it is news.
  mutating func settle(_ content: StoreContent<Prepared>) -> Settlement {
    let before = stored
    let known = session.known
    noteStored(content)
    switch content.entry {
    // The store is known now: what a later sign-in puts there is not what the user has signed out of.
    case .absent: ending?.endsBefore = nil
    case .ended(let entry): noteEnded(entry)
    case .session, .damaged: break
    }
    switch content.entry {
    case .damaged:
      tell(.failed, .storeCorrupt, known, "What the store holds can't be read.")
      // Damage is no sign-out: what is known is written again.
      if known != nil { owe { $0.isContent = true } }
      return .same
    case .absent:
      guard let known, before.lineage == known.lineage, !before.isEnded else { return .same }
      // What had been written is gone: a process of the version before signed out, or the profile was removed. Going
      // on would bring the session back.
      return endElsewhere(known, .anotherProcess)
    case .ended(let entry):
      return settle(entry, known, before)
    case .session(let found, let others):
      return settle(found, others, known, before)
    }
  }

  private mutating func settle(_ entry: EndedEntry, _ known: Known?, _ before: Stored) -> Settlement {
    guard let known else {
      if session.isUnread { session = .signedOut(entry.cause) }
      return .same
    }
    let isOurs = entry.lineage == known.lineage
    guard isOurs || before.lineage == known.lineage else { return .same }
    // An ending of other proofs is no ending: the own one is shown to the server, and written back once accepted.
    if isOurs, let own = ([known] + alternatives).first(where: { !entry.ends($0.digest) && isBelieved($0) }) {
      if own.digest != known.digest { switchTo(own) }
      if writing.owesProof || own.digest != known.digest { owe { $0.isProof = true } }
      return .same
    }
    if isOurs, !entry.refused.isEmpty, case .running(let job, let stage) = work, stage.isRenewal(job) {
      // Another process was refused what this one has renewed, or is about to: the server's answer decides.
      session = .refused(known, nil)
      settleWriting()
      return .same
    }
    if entry.refused.isEmpty, entry.cause == .requestedByApp, writing.owesProof {
      // No other process knows of the newest proof.
      actions.append(.endAtServer(([known] + alternatives).filter { isBelieved($0) }))
    }
    // A sign-out is told as another process's; every other cause is kept through all processes.
    return endElsewhere(
      known, entry.cause == .requestedByApp ? .anotherProcess : entry.cause, byRefusal: !entry.refused.isEmpty)
  }

  private mutating func settle(
    _ first: Known, _ rest: [Known], _ known: Known?, _ before: Stored
  ) -> Settlement {
    if signOut?.isOther(first) == true, first.lineage != session.changeable?.lineage { return leave(known) }
    if ending?.ends(first.begun) == true, first.lineage != known?.lineage {
      endFound(first, rest)
      ending?.phase = .due
      return .same
    }
    let believed = ([first] + rest).filter { isBelieved($0) }
    guard let found = believed.first else { return .same }
    let others = Array(believed.dropFirst())
    guard let known, isBelieved(known) || known.lineage == found.lineage else {
      adopt(found, others)
      return known.map { $0.user.id != found.user.id } == true ? .anotherUser : .adopted
    }
    guard known.lineage == found.lineage else {
      // What was never stored is known to no other process.
      let isKnownHereAlone = before.lineage != known.lineage
      if isKnownHereAlone, known.user.id != found.user.id { endReplaced(known) }
      // Of two sign-ins of one user the later one counts, as if it had been stored at once.
      if isKnownHereAlone, known.user.id == found.user.id, writing.owesProof, session.usable != nil,
        (known.begun ?? known.issued).seconds(since: found.begun ?? found.issued) >= 0
      {
        return .same
      }
      adopt(found, others)
      return known.user.id == found.user.id ? .adopted : .anotherUser
    }
    takeTrail(of: found)
    if found.digest == known.digest {
      let isNewer = found.version.isLater(than: known.version) || found.isProlonged(since: known)
      if isNewer, !writing.owesContent { adopt(found, others, quietly: true) }
      return .same
    }
    if isOlder(found, than: known) {
      keepBoth(found, others)
      owe { $0.isProof = true }
      return .same
    }
    if writing.owesProof {
      // Tokens have an order. Those in the store are newer than the own ones, and what is owed is a cookie that was given
      // with these, unless a renewal has used them up.
      if found.tokens != known.tokens, !usedTokens.contains(found.tokens) {
        adopt(found, others)
        return .adopted
      }
      keepBoth(found, others)
      return .same
    }
    // The own proof had been written and another process wrote over it, or the own proof was refused.
    adopt(found, others)
    return .adopted
  }

  /// Leaves what the store holds to the sign-in that has taken the place of this one since the app began to sign out.
  private mutating func leave(_ known: Known?) -> Settlement {
    settleAbsence()
    guard let known else { return .endedElsewhere }
    // It is ended at the server when the sign-out is carried out.
    let replaced = ([known] + alternatives).filter { isBelieved($0) }
    signOut?.replaced = replaced
    return endElsewhere(known, .superseded)
  }

  /// Whether the server gave the found proof before the own one, which it has not refused, or its writer did not know that.
  private func isOlder(_ found: Known, than known: Known) -> Bool {
    let isLater = found.version.isLater(than: known.version)
    if found.tokens == known.tokens {
      return session.usable != nil && (!isLater || superseded.contains(found.digest))
    }
    guard isBelieved(known) else { return false }
    return usedTokens.contains(found.tokens)
      || (!isLater && known.issued.isCertain(since: found.issued) && known.issued.seconds(since: found.issued) > 0)
  }

  /// Whether a stored session may be gone on with: its sign-in was not ended here, nor its proof refused.
  func isBelieved(_ known: Known) -> Bool {
    !endedLineages.contains(known.lineage) && !refusedDigests.contains(known.digest)
  }

  /// Keeps what another process was given beside the own newer proof, and raises the own revision over it.
  mutating func keepBoth(_ found: Known, _ others: [Known]) {
    guard let known = session.known else { return }
    // Something has put back what the server gave before the own proof, or the server has gone back to it.
    superseded.removeAll { $0 == found.digest }
    var seen = Set(superseded + [known.digest])
    func kept(_ list: [Known]) -> [Known] {
      list.filter { $0.tokens == known.tokens && isBelieved($0) && seen.insert($0.digest).inserted }
    }
    // The newest of each come first, in turn: where there is no room for all, the oldest are left out.
    let (theirs, own) = (kept([found] + others), kept(alternatives))
    let all = (0..<max(theirs.count, own.count)).flatMap {
      theirs.dropFirst($0).prefix(1) + own.dropFirst($0).prefix(1)
    }
    alternatives = Array(all.prefix(StoredEntry.maximumAlternatives))
    // What is known now is known to every request that carries this version.
    replace(known.raised(to: (known.version.isLater(than: found.version) ? known : found).version.next))
    _ = useAlternative()
  }

  /// Goes on with another proof of the same sign-in where the own one was refused.
  /// - Returns: whether there was one that the server has not refused, as far as is known here.
  mutating func useAlternative() -> Bool {
    guard session.usable == nil, let known = session.known,
      let other = alternatives.first(where: { isBelieved($0) && $0.digest != known.digest })
    else { return false }
    switchTo(other)
    owe { $0.isProof = true }
    return true
  }

  /// Puts another state of the session in the place of the known one.
  mutating func replace(_ known: Known) {
    switch session {
    case .refused(_, let error): session = .refused(known, error)
    default: session = .signedIn(known)
    }
  }

  /// Goes on with another proof of the same sign-in.
  mutating func switchTo(_ other: Known) {
    guard let known = session.known else { return }
    refusedDigests.insert(known.digest)
    alternatives.removeAll { $0.digest == other.digest || refusedDigests.contains($0.digest) }
    var next = other.version.isLater(than: known.version) ? other : other.revised(known.version.next)
    next.isAccepted = false
    session = .signedIn(next)
    superseded = []
    tell(.adopted, .anotherProcess, next)
  }

  /// Goes on with what the store holds.
  mutating func adopt(_ found: Known, _ others: [Known], quietly: Bool = false) {
    let known = session.known
    var found = found
    // Without a damaged entry between them the other process would have known the own revision.
    if let known, known.lineage == found.lineage, known.digest != found.digest,
      !found.version.isLater(than: known.version)
    {
      found = found.revised(known.version.next)
    }
    if let known { found = found.following(known) }
    if let known, known.user.id != found.user.id { tell(.signedOut, .anotherProcess, known) }
    // What the server has refused of this sign-in stays refused, also when the refusal had ended it here.
    if session.changeable?.lineage != found.lineage { refusedDigests = [] }
    if found.begun == nil, known?.lineage == found.lineage { found.begun = known?.begun }
    let earlier = known.map { $0.lineage == found.lineage && $0.tokens != found.tokens ? [$0] : [] } ?? []
    let digests = earlier.isEmpty ? [] : earlier.map(\.digest) + superseded
    let new = [found] + others
    become(
      .signedIn(found), alternatives: others,
      superseded: digests.recent(settings.superseded, besides: new.map(\.digest)))
    noteUsed(earlier.filter { found.issued.seconds(since: $0.issued) >= 0 }, for: new)
    // Processes that sign in by turns to a server that refuses all their sessions would never pause.
    if freshRejections < settings.maximumFreshRejections { (pause, failures) = (.none, 0) }
    unclearRefusals = 0
    settleWriting()
    if !quietly { tell(known == nil ? .restored : .adopted, known == nil ? .foundInStore : .anotherProcess, found) }
  }

  /// Notes that another process ended the session.
  mutating func endElsewhere(_ known: Known, _ cause: Cause, byRefusal: Bool = false) -> Settlement {
    become(.signedOut(cause, refused: byRefusal ? known : nil))
    if !byRefusal { signOuts &+= 1 }
    // A refusal of what another process showed says nothing of the credential of this one, which may be a newer one, nor of
    // what the server has given for it.
    if hasCredential, !byRefusal {
      hasCredential = false
      actions.append(.forgetCredential)
    }
    if hasGrant, !byRefusal, work.job?.need.isSignIn != true { discardGrant() }
    settleWriting()
    tell(.signedOut, cause, known)
    return .endedElsewhere
  }

  /// Notes what the store holds.
  mutating func noteStored(_ content: StoreContent<Prepared>) {
    stamp = content.stamp
    switch content.entry {
    case .damaged: if damagedSince == nil { damagedSince = now }
    case .absent, .ended, .session: if content.data != stored.data { damagedSince = nil }
    }
    switch content.entry {
    case .absent: stored = Stored()
    case .damaged: stored = Stored(data: content.data)
    case .ended(let entry): stored = Stored(data: content.data, lineage: entry.lineage, isEnded: true)
    case .session(let found, _):
      stored = Stored(data: content.data, lineage: found.lineage, claim: content.claim, trail: found.trail)
    }
  }

  /// Notes an ending that is found: what was stored when the user signed out, or nothing of it.
  private mutating func noteEnded(_ entry: EndedEntry) {
    guard ending != nil else { return }
    if ending?.ends(entry.begun) == true, !entry.refused.isEmpty, entry.lineage != session.known?.lineage {
      // A refusal leaves other proofs of the sign-in as they are; the user's word does not.
      // The ending's own reading decides, which ends newer proof at the server that another process has put back by then.
      if ending?.phase == .waiting { ending?.phase = .due }
      return
    }
    ending?.endsBefore = nil
  }

  /// Without a session there has never been one, unless it is known why.
  mutating func settleAbsence() {
    if session.isUnread { session = .signedOut(.neverSignedIn) }
  }
}
